// One part for printing (part = "tray_right_far" ...), or the whole table (part = "table"), built
// up to a step of the guide (step = 1 ... 7; 8 shows what the camera sees). `make hardware` makes every part and picture.
include <parameters.scad>
use <tray.scad>
use <bridge.scad>
use <console.scad>

part = "table";
step = 7;

wood = [0.80, 0.66, 0.46];
felt_green = [0.10, 0.38, 0.22];
print = [0.25, 0.27, 0.30];
metal = [0.72, 0.74, 0.76];

// The parts as they lie on the printer's bed.
if (part == "tray_right_far") translate([0, 0, floor_t]) tray_quarter();
if (part == "tray_left_far") translate([0, 0, floor_t]) mirror([1, 0, 0]) tray_quarter();
if (part == "keep_rail") keep_rail();
if (part == "post_foot") post_foot();
if (part == "bridge_corner") rotate([-90, 0, 0]) bridge_corner();
if (part == "camera_carrier") rotate([0, 90, 0]) camera_carrier();
if (part == "light_bracket") rotate([90, 0, 0]) light_bracket();
if (part == "console_right") rotate([0, 90, 0]) console_half();
if (part == "console_left") rotate([0, -90, 0]) mirror([1, 0, 0]) console_half();
if (part == "pi_case_base") pi_case_base();
if (part == "pi_case_lid") pi_case_lid();
if (part == "table") table();

module both_sides() { children(); mirror([1, 0, 0]) children(); }

module table() {
    color(wood) translate([-base_w / 2, -outer_d / 2 - console_d - 14, -floor_t - base_t]) cube([base_w, base_d, base_t]);
    color(print) both_sides() { tray_quarter(); mirror([0, 1, 0]) tray_quarter(); }
    if (step == 1) layout_notes();
    if (step >= 2) {
        color(felt_green) translate([-tray_w / 2, -tray_d / 2, -0.1]) cube([tray_w, tray_d, 0.2]);
        color(metal) both_sides() translate([0, -tray_d / 2 + rail_d, 0]) keep_rail();
        color(felt_green) translate([-tray_w / 2, -tray_d / 2, 2]) cube([tray_w, rail_d - ridge_t / 2, 0.2]);
    }
    if (step >= 3) markers();
    if (step >= 4) buttons_and_console();
    if (step >= 5) bridge();
    if (step >= 6) lights_and_pi();
    if (step >= 7) {
        screen();
        some_dice();
    }
    if (step == 8) view();
}

// The four rim markers as `dicetable sheets` prints them, 0 far left, then clockwise; 1 is white.
// A test compares them with the reader's.
marker_cells = [
    ["1011", "0101", "0011", "0010"],
    ["0000", "1111", "1001", "1010"],
    ["0011", "0011", "0010", "1101"],
    ["1001", "1001", "0100", "0110"]];

module markers() {
    cell = marker / 6;
    for (n = [0:3]) {
        x = (n == 1 || n == 2) ? 1 : -1;
        y = n < 2 ? 1 : -1;
        translate([x * (outer_w - wall_t) / 2, y * (outer_d - wall_t) / 2, wall_h]) {
            color("white") translate([0, 0, 0.2]) cube([wall_t, wall_t, 0.2], center = true);
            color("black") translate([0, 0, 0.4]) cube([marker, marker, 0.2], center = true);
            color("white") for (row = [0:3], column = [0:3]) if (marker_cells[n][row][column] == "1")
                translate([(column - 1.5) * cell, (1.5 - row) * cell, 0.6]) cube([cell, cell, 0.2], center = true);
        }
        if (step == 3) note(str(n), [x * (outer_w / 2 + 34), y * (outer_d / 2 - 8), -floor_t], 26, "black");
    }
}

// A word lying in the picture, its middle at `spot`.
module note(words, spot, size, ink) {
    color(ink) translate(spot) linear_extrude(0.6)
        text(words, size = size, font = "DejaVu Sans:style=Bold", halign = "center", valign = "center");
}

// Step 1: the cross on the board, and which quarter goes where.
module layout_notes() {
    board_y = -outer_d / 2 - console_d - 14;
    color("black") translate([-base_w / 2, -0.5, -floor_t]) cube([base_w, 1, 0.3]);
    color("black") translate([-0.5, board_y, -floor_t]) cube([1, base_d, 0.3]);
    for (x = [-1, 1], y = [-1, 1])
        note(x == y ? "right_far" : "left_far", [x * outer_w / 4 - x * 6, y * outer_d / 4 - y * 6, 0], 17, "white");
    color("white") translate([-0.6, -tray_d / 2, 0]) cube([1.2, tray_d, 0.3]);
    color("white") translate([-tray_w / 2, -0.6, 0]) cube([tray_w, 1.2, 0.3]);
    note("player", [-90, board_y + 40, -floor_t], 22, "black");
}

module buttons_and_console() {
    translate([0, -outer_d / 2 - console_d - 2, -floor_t]) {
        color(print) both_sides() console_half();
        colours = [[0.8, 0.2, 0.15], [0.95, 0.75, 0.1], [0.2, 0.45, 0.9], [0.2, 0.75, 0.3]];
        names = ["back", "left", "right", "confirm"];
        for (n = [0:3])
            translate([(n - 1.5) * button_gap, 16, console_h - (console_d - 16) * tan(console_slope)])
                rotate([console_slope, 0, 0]) {
                    color("white") cube([52, 14, 1], center = true);
                    note(names[n], [0, 0, 0.5], 8, "black");
                }
        for (n = [0:3])
            translate([(n - 1.5) * button_gap, console_d * 0.56, console_h - console_d * 0.44 * tan(console_slope)])
                rotate([console_slope, 0, 0]) {
                    color("black") cylinder(d = button_d + 5, h = 3);
                    color(colours[n]) cylinder(d = button_d - 3, h = 7);
                }
    }
}

module bridge() {
    color(print) both_sides() translate([post_x, 0, -floor_t]) post_foot();
    color(metal) both_sides() translate([post_x - post / 2, -post / 2, 0]) cube([post, post, post_l]);
    color(metal) translate([-bar_l / 2, -post / 2, beam_z]) cube([bar_l, post, post]);
    color(print) both_sides() translate([post_x, 0, post_l]) bridge_corner();
    color(print) translate([0, 0, beam_z]) camera_carrier();
    color([0.1, 0.45, 0.2]) translate([-12.5, -12, beam_z - 10]) cube([25, 24, 1.2]);
    color("black") translate([0, 0, lens_h]) cylinder(d = 8, h = 4);
}

module lights_and_pi() {
    both_sides() translate([post_x, 0, light_h - 15]) {
        color(print) light_bracket();
        translate([light_x - post_x, 0, 15]) rotate([0, light_tilt, 0]) {
            color(metal) translate([0, 0, -3]) cube([profile_w, light_l, profile_h], center = true);
            color([1, 1, 0.85]) translate([0, 0, -8]) cube([profile_w - 3, light_l, 2], center = true);
        }
    }
    // the closed long wall up, against what is spilt
    translate([post_x + post / 2, -46, pi_h - 64]) rotate([0, 90, 0]) rotate(90) {
        color(print) pi_case_base();
        color([0.1, 0.45, 0.2]) translate([4, 4, 8]) cube([85, 56, 1.5]);
        color(metal) translate([70, 6, 9.5]) cube([21, 52, 15]);
    }
}

// Any screen behind the tray; low enough that its light meets no die's top on the way to the lens.
module screen() {
    translate([0, screen_y, -floor_t]) rotate([-12, 0, 0]) {
        color("black") translate([-120, 0, 12]) cube([240, 12, 150]);
        color([0.12, 0.30, 0.24]) translate([-112, -0.5, 20]) cube([224, 1, 134]);
    }
}

module die(face, edge) {
    spots = [[[0, 0]], [[-1, -1], [1, 1]], [[-1, -1], [0, 0], [1, 1]], [[-1, -1], [-1, 1], [1, -1], [1, 1]],
             [[-1, -1], [-1, 1], [0, 0], [1, -1], [1, 1]], [[-1, -1], [-1, 0], [-1, 1], [1, -1], [1, 0], [1, 1]]];
    color("ivory") translate([0, 0, edge / 2]) intersection() {
        cube(edge, center = true);
        sphere(r = edge * 0.72);
    }
    color("black") for (s = spots[face - 1]) translate([s[0] * edge / 4, s[1] * edge / 4, edge - 0.1])
        cylinder(d = edge * pip_share, h = 0.3);
}

module some_dice() {
    throw = [[6, -60, 70, 20], [5, 45, 30, 75], [3, -10, -20, 50]];
    for (t = throw) translate([t[1], t[2], 0]) rotate(t[3]) die(t[0], 16);
    for (n = [0, 1]) translate([-30 + 26 * n, -tray_d / 2 + rail_d / 2, 2]) rotate(8 * n) die(4, 16);
}

module view() {
    color([1, 0.9, 0.3, 0.18]) polyhedron(
        [[0, 0, lens_h], [-view_w / 2, -view_d / 2, 0], [view_w / 2, -view_d / 2, 0],
         [view_w / 2, view_d / 2, 0], [-view_w / 2, view_d / 2, 0]],
        [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1], [4, 3, 2, 1]]);
}
