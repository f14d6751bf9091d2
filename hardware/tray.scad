// The tray in four quarters, each small enough for a small printer, and the keep rail's ridge.
// Quarters are screwed to the base board and pinned to each other with 6 mm dowels; felt is glued
// over floor and seams. From wood instead: four battens wall_t x wall_h on the base board.
include <parameters.scad>

module countersunk(depth) {
    translate([0, 0, -1]) cylinder(d = screw, h = depth + 2);
    translate([0, 0, depth - 2.4]) cylinder(d1 = screw, d2 = screw + 5, h = 2.5);
}

// The quarter at the right (x > 0) and far side (y > 0); the others are its mirrors.
module tray_quarter() {
    w = outer_w / 2;
    d = outer_d / 2;
    difference() {
        translate([0, 0, -floor_t]) union() {
            cube([w, d, floor_t]);
            translate([w - wall_t, 0, 0]) cube([wall_t, d, wall_h + floor_t]);
            translate([0, d - wall_t, 0]) cube([w, wall_t, wall_h + floor_t]);
        }
        // dowels between the quarters
        translate([w - wall_t / 2, -1, wall_h / 2]) rotate([-90, 0, 0]) cylinder(d = 6 + fit, h = 16);
        translate([-1, d - wall_t / 2, wall_h / 2]) rotate([0, 90, 0]) cylinder(d = 6 + fit, h = 16);
        // screws into the base board, sunk under the felt
        for (x = [15, w - wall_t - 15], y = [15, d - wall_t - 15])
            translate([x, y, -floor_t]) countersunk(floor_t);
        // outer edges broken, where wrists touch them; the rim's corner stays flat for a marker
        translate([w, -1, wall_h]) rotate([-90, 0, 0]) rotate(45)
            cube([1.6, 1.6, 2 * d + 2], center = true);
        translate([-1, d, wall_h]) rotate([0, 90, 0]) rotate(45)
            cube([1.6, 1.6, 2 * w + 2], center = true);
    }
}

// Half of the ridge; two of them make the line between tray and keep rail.
module keep_rail() {
    l = tray_w / 2 - fit;
    difference() {
        union() {
            translate([0, -ridge_t / 2, 0]) cube([l, ridge_t, ridge_h - ridge_t / 2]);
            translate([0, 0, ridge_h - ridge_t / 2]) rotate([0, 90, 0]) cylinder(d = ridge_t, h = l);
            // a foot to the player's side, under the rail's own strip of felt
            translate([0, -14, 0]) cube([l, 14, 2]);
        }
        for (x = [20, l - 20]) translate([x, -9, 0]) countersunk(2);
    }
}
