// The console with the four buttons in front of the tray (two halves), and the Pi's case.
include <parameters.scad>

shell = 3;

module console_profile(inset) {
    low = console_h - console_d * tan(console_slope);
    polygon([[inset, -1], [console_d - inset, -1], [console_d - inset, console_h - inset * 1.2],
             [inset, low - inset * 1.2 + inset * tan(console_slope)]]);
}

// The right half, x > 0, y = 0 at the player's edge; the left half is its mirror.
module console_half() {
    w = outer_w / 2;
    slope_at = function(y) console_h - (console_d - y) * tan(console_slope);
    difference() {
        intersection() {
            rotate([90, 0, 90]) linear_extrude(w) console_profile(0);
            cube([w, console_d, console_h + 1]);
        }
        translate([-1, 0, 0]) difference() {
            rotate([90, 0, 90]) linear_extrude(w - shell + 1) console_profile(shell);
            // ears inside for the screws into the base board
            for (y = [0, console_d - 16]) translate([w - 18, y, -1]) cube([18, 16, 9]);
        }
        for (y = [9, console_d - 9]) translate([w - 10, y, -1]) cylinder(d = screw, h = 20);
        for (n = [0.5, 1.5]) {
            translate([n * button_gap, console_d * 0.56, slope_at(console_d * 0.56)])
                rotate([console_slope, 0, 0]) cylinder(d = button_d, h = 40, center = true);
            // seat of a printed label, between the button and the player
            translate([n * button_gap, 16, slope_at(16)]) rotate([console_slope, 0, 0])
                cube([52.6, 14.6, 0.8], center = true);
        }
        // cables to the back
        translate([12, console_d - 10, -1]) cube([24, 20, 13]);
    }
    // flange in the middle: M4 screws hold the halves together
    difference() {
        intersection() {
            rotate([90, 0, 90]) linear_extrude(4) console_profile(shell - 0.1);
            translate([0, 0, 0]) cube([4, console_d, console_h]);
        }
        for (y = [14, console_d - 22]) translate([-1, y, 14]) rotate([0, 90, 0]) cylinder(d = screw, h = 10);
        translate([-1, console_d / 2 - 14, -1]) cube([10, 28, 18]); // wires from half to half
    }
}

pi_w = 85;  // board of a Pi 4 or 5; a Zero 2 W (65 x 30) sits on the same far holes
pi_d = 56;
room = 4;

// Base of the Pi's case: hangs on the post by two M4 screws, ports free at two sides.
module pi_case_base() {
    w = pi_w + 2 * room;
    d = pi_d + 2 * room;
    difference() {
        union() {
            translate([-shell, -shell, 0]) cube([w + 2 * shell, d + 2 * shell, 3]);
            // walls only at the far long side and the card's side
            translate([-shell, d, 0]) cube([w + 2 * shell, shell, 30]);
            translate([-shell, -shell, 0]) cube([shell, d + 2 * shell, 12]);
            // pillars for the lid
            for (x = [-shell, w - 5], y = [-shell, d - 5]) translate([x, y, 0]) cube([8, 8, 30]);
            for (p = board_holes()) translate([p[0], p[1], 0]) cylinder(d = 6, h = 8);
        }
        for (p = board_holes()) translate([p[0], p[1], 3]) cylinder(d = 2.2, h = 10);
        for (x = [-shell, w - 5], y = [-shell, d - 5]) translate([x + 4, y + 4, 15]) cylinder(d = 2.6, h = 20);
        for (y = [30, 54]) translate([w / 2, y, -1]) cylinder(d = screw, h = 10);
        for (x = [18:9:w - 18]) translate([x, 14, -1]) cube([4, 8, 10]);
    }
}

// Holes of the boards: 58 x 49 mm (Pi 4, Pi 5) and 58 x 23 mm (Zero 2 W).
function board_holes() = [for (x = [3.5, 61.5], y = [3.5, 26.5, 52.5]) [room + x, room + y]];

module pi_case_lid() {
    w = pi_w + 2 * room + 2 * shell;
    d = pi_d + 2 * room + 2 * shell;
    difference() {
        cube([w, d, 2.4]);
        for (x = [4, w - 4], y = [4, d - 4]) translate([x, y, -1]) cylinder(d = 3.2, h = 10);
        for (x = [16:8:w - 20]) translate([x, 14, -1]) cube([3.6, d - 28, 10]);
    }
}
