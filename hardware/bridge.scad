// The bridge: feet, posts, corners and crossbar, with the camera's carrier and the light's brackets.
include <parameters.scad>

module tube_hole(length) { cube([post + fit, post + fit, length], center = true); }

module screw_x(d = screw) { rotate([0, 90, 0]) cylinder(d = d, h = 200, center = true); }

module post_foot() {
    side = 64;
    difference() {
        union() {
            translate([-side / 2, -side / 2, 0]) cube([side, side, 8]);
            translate([0, 0, 25]) cube([post + 2 * socket, post + 2 * socket, 50], center = true);
            for (a = [0:90:270]) rotate(a) translate([0, 1.5, 7]) rotate([90, 0, 0])
                linear_extrude(3) polygon([[post / 2 + socket - 1, 0], [side / 2 - 3, 0], [post / 2 + socket - 1, 26]]);
        }
        translate([0, 0, 35]) tube_hole(62);
        translate([0, 0, 38]) screw_x();
        for (x = [-1, 1], y = [-1, 1]) translate([x * 25, y * 25, -1]) cylinder(d = screw, h = 20);
    }
}

// Corner of post and crossbar, for the right side; lies on its back for printing.
module bridge_corner() {
    long = 46;
    block = post + 2 * socket;
    difference() {
        union() {
            translate([-block / 2, -block / 2, -long]) cube([block, block, long + block]);
            translate([-block / 2 - long, -block / 2, 0]) cube([long + block, block, block]);
            translate([-block / 2, 0, 0]) rotate([90, 0, 0]) translate([0, 0, -3])
                linear_extrude(6) polygon([[0.5, 0.5], [-long + 4, 0.5], [0.5, -long + 4]]);
        }
        translate([0, 0, -long / 2 - 1]) tube_hole(long + 2);
        translate([-block / 2 - long / 2 - 1, 0, block / 2]) rotate([0, 90, 0]) tube_hole(long + 2);
        translate([0, 0, -long / 2 - 6]) screw_x();
        translate([-block / 2 - long / 2 - 6, 0, block / 2]) rotate(90) screw_x();
    }
}

// Slides along the crossbar; the camera's board hangs under it, its lens in the bar's middle line.
module camera_carrier() {
    w = 46; // along the bar
    d = post + 2 * socket;
    plate = 4;
    difference() {
        union() {
            translate([-w / 2, -d / 2, 0]) cube([w, d, post + socket + fit]);
            translate([-w / 2, -22, -plate]) cube([w, 44, plate]);
        }
        translate([0, 0, post / 2 - fit]) rotate([0, 90, 0]) tube_hole(w + 2);
        // clamp screw from above
        translate([0, 0, post]) cylinder(d = screw, h = 20);
        // Camera Module 3: holes 21 x 12.5 mm apart, M2 self-tapping with 5 mm spacers
        for (x = [-10.5, 10.5], y = [-9.5, 3]) translate([x, y, -plate - 1]) cylinder(d = 1.8, h = plate + 2);
        // the flat cable goes up here, and along the bar
        translate([-9, 14, -plate - 1]) cube([18, 3, plate + 2]);
    }
}

// Holds a light bar in its middle at the post; the channel looks down across the tray.
module light_bracket() {
    clamp = post + 2 * socket;
    long = 60; // along the bar
    reach = post_x - light_x;
    difference() {
        union() {
            translate([0, 0, 15]) cube([clamp, clamp, 30], center = true);
            hull() {
                translate([-clamp / 2 - 1, -clamp / 2, 0]) cube([2, clamp, 30]);
                translate([-reach, 0, 15]) rotate([0, light_tilt, 0]) translate([0, 0, 4])
                    cube([profile_w + 6, clamp, 6], center = true);
            }
            translate([-reach, 0, 15]) rotate([0, light_tilt, 0])
                translate([0, 0, 0]) cube([profile_w + 6, long, profile_h + 5], center = true);
        }
        translate([0, 0, 15]) tube_hole(200);
        translate([-reach, 0, 15]) rotate([0, light_tilt, 0]) translate([0, 0, -4])
            cube([profile_w + fit, long + 2, profile_h + 2], center = true);
        translate([0, 0, 15]) rotate(90) screw_x();
    }
}
