// The place of a voxel in a view whose rays start at a point: a, b, w. The rasteriser interpolates it from corners.
#define POSITION vec3

POSITION carry(ViewRows rows, vec4 voxel) { return vec3(dot(rows.a, voxel), dot(rows.b, voxel), dot(rows.w, voxel)); }

/// The change of the place along columns (0), rows (1) and slices (2), and the place of voxel 0 0 0 (3).
POSITION coefficients(ViewRows rows, int k) { return vec3(rows.a[k], rows.b[k], rows.w[k]); }

float depth_of(POSITION p) { return p.z; }

/// Coefficients of w, and a, b, w of a voxel, in a form common to all beams.
vec4 w_row(ViewRows rows) { return rows.w; }
vec3 rows_at(ViewRows rows, vec4 voxel) { return carry(rows, voxel); }

const bool from_a_point = true;  // rays begin at a source
