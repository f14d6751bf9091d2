"""How the training pictures and the weights are made (see README.md); not part of the product."""
