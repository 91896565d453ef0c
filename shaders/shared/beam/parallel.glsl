// A parallel beam: w is 1 everywhere, so that a and b need no third component and nothing is divided.
#define POSITION vec2

POSITION carry(ViewRows rows, vec4 voxel) { return vec2(dot(rows.a, voxel), dot(rows.b, voxel)); }

/// What a step along columns (0), rows (1) and slices (2) adds to the place, and the place of voxel 0 0 0 (3).
POSITION coefficients(ViewRows rows, int k) { return vec2(rows.a[k], rows.b[k]); }

float depth_of(POSITION p) { return 1.0; }

/// Where on the detector, in what sample_view() takes; there is no weight by depth.
vec2 divided(POSITION p, int view, out float weight) {
  weight = 1.0;
  return p;
}

/// Column and row at which a point a, b, w meets the detector.
vec2 pixel_at(ViewRows m, vec3 p) { return p.xy; }

/// What w is made of, and a, b, w of a voxel for all beams alike.
vec4 w_row(ViewRows rows) { return vec4(0.0); }
vec3 rows_at(ViewRows rows, vec4 voxel) { return vec3(carry(rows, voxel), 1.0); }

const bool from_a_point = false;  // rays have no beginning
