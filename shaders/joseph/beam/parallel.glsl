// Parallel rays: the rays of a column are level.
bool passes_beside(ColumnRayView v, float across, float along) { return false; }
float per_along(float along) { return 1.0; }
float climb(ColumnRay ray, float row) { return 0.0; }
