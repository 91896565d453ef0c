// A parallel beam: w is 1 everywhere, so that a and b need no third component and nothing is divided.
#define POSITION vec2

POSITION carry(ViewRows rows, vec4 voxel) { return vec2(dot(rows.a, voxel), dot(rows.b, voxel)); }

/// The change of the place along columns (0), rows (1) and slices (2), and the place of voxel 0 0 0 (3).
POSITION coefficients(ViewRows rows, int k) { return vec2(rows.a[k], rows.b[k]); }

float depth_of(POSITION p) { return 1.0; }

/// The position for sample_view(); there is no weight by depth.
vec2 divided(POSITION p, int view, out float weight) {
  weight = 1.0;
  return p;
}

/// Column and row at which a point a, b, w meets the detector.
vec2 pixel_at(ViewRows m, vec3 p) { return p.xy; }

/// Coefficients of w, and a, b, w of a voxel, in a form common to all beams.
vec4 w_row(ViewRows rows) { return vec4(0.0); }
vec3 rows_at(ViewRows rows, vec4 voxel) { return vec3(carry(rows, voxel), 1.0); }

const bool from_a_point = false;  // rays have no beginning
