// Edges of a voxel on a flat detector. Column and row edges count from 0: half a cell more than middles.
float column_of(POSITION p, int view) { return p.x / p.z + 0.5; }

/// Row of slice 0's lower edge, and the rows per slice.
vec2 rows_of(POSITION p, float up, int view) { return vec2(p.y / p.z + 0.5, up / p.z); }

/// Distances of rows are proportional to 1 over this.
float row_depth(POSITION p) { return p.z; }
