// The measures of the table, in millimetres and degrees, and what follows from them.
//
// Origin: the middle of the tray's floor (the felt's surface). x to the right, y away from the
// player who sits at the console, z up. Change a measure here and every part follows; the
// test in tests/hardware keeps the derived values within what the reader needs. Only plain
// expressions stand here, so that a test can read them without OpenSCAD.

// ---- tray
tray_w = 280;     // inner width
tray_d = 280;     // inner depth, keep rail included
wall_h = 35;      // wall above the felt
wall_t = 18;      // wall thickness: a rim marker is as wide
floor_t = 4;      // floor of the printed tray
rail_d = 50;      // depth of the keep rail, along the near edge
ridge_h = 14;     // ridge between tray and rail: thrown dice stay out, a hand gets over it
ridge_t = 4;

// ---- dice
die_min = 12;     // edge of the smallest and the largest die
die_max = 19;
pip_share = 0.19; // diameter of a pip as a share of the edge

// ---- camera: Camera Module 3, a 4:3 picture (its data sheet's 66 degrees are for 16:9)
hfov = 51.9;
px_w = 1280;
px_h = 960;
lens_h = 500;     // lens above the felt
cable = 500;      // length of the camera's ribbon cable

// ---- light: one bar at each side, along the tray's depth
light_x = 215;    // bar from the middle
light_h = 200;    // bar above the felt
light_l = 300;    // length of a bar
light_aim_x = -70; // where the right bar's middle ray meets the felt
profile_w = 17;   // aluminium profile with an opal cover
profile_h = 8;

// ---- frame
post = 20;        // square tube or batten
post_x = 240;     // post from the middle
base_w = 580;
base_d = 440;
base_t = 12;      // plywood
screen_y = 215;   // screen behind the tray
screen_h = 165;   // its top above the felt
pi_h = 330;       // top edge of the Pi's case on the post
button_d = 24;    // hole of a button
button_gap = 64;  // from button to button
console_d = 84;
console_h = 52;   // at the back; the top slopes towards the player
console_slope = 12;

// ---- printing
fit = 0.3;        // play between two parts
bed = 200;        // smallest printer's bed
screw = 4.3;      // hole for M4
$fn = 32;

// ---- what follows from it
tan_h = tan(hfov / 2);
tan_v = tan_h * px_h / px_w;
view_w = 2 * lens_h * tan_h;             // seen on the felt
view_d = 2 * lens_h * tan_v;
px_per_mm = px_w / view_w;
die_px = die_min * px_per_mm;            // smallest die's edge in the picture
pip_px = die_px * pip_share;             // its pips
rim_margin_w = (lens_h - wall_h) * tan_h - tray_w / 2 - wall_t;
rim_margin_d = (lens_h - wall_h) * tan_v - tray_d / 2 - wall_t; // beyond the rim, each side
tilt_max = atan(rim_margin_d / (lens_h - wall_h)); // the camera may lean so far
slant_max = atan(sqrt(tray_w * tray_w + tray_d * tray_d) / 2 / lens_h); // seen at the corner
ridge_hides = (ridge_h - die_min) * (tray_d / 2 - rail_d) / (lens_h - ridge_h); // of a die's top
light_out_of_view = light_x - profile_w - (lens_h - light_h) * tan_h;
glare_x = light_x * lens_h / (lens_h + light_h); // a flat mirror on the felt would glint here
glare_margin = glare_x - tray_w / 2;
screen_glare_margin = screen_y * lens_h / (lens_h + screen_h) - tray_d / 2;
rail_share = rail_d / tray_d;            // `rail` in the table's settings
marker = wall_t * 6 / 8;                 // six cells; one more is left white on every side
marker_cell_px = marker / 6 * px_w / (2 * (lens_h - wall_h) * tan_h);
outer_w = tray_w + 2 * wall_t;
outer_d = tray_d + 2 * wall_t;
beam_z = lens_h + 14;                    // underside of the crossbar
socket = 5;                              // walls of printed sockets
post_l = beam_z - socket;                // lengths to saw
bar_l = 2 * post_x - post - 2 * socket;
cable_needed = beam_z + post - pi_h + post_x + 20;
light_tilt = atan((light_x - light_aim_x) / light_h); // from straight down
