"""What runs on the box: the judge, the record, the panel, the command line."""
