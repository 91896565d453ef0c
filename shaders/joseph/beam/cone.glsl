// Rays from a source: the rays of a column spread along z.
bool passes_beside(ColumnRayView v, float across, float along) {
  return abs(across) - 1.0 > steepest_of(v) * abs(along);
}
float per_along(float along) { return 1.0 / along; }

// Voxels along z per slice, of a ray. `row` is counted from the row level with the source.
float climb(ColumnRay ray, float row) { return row / ray.rows; }
