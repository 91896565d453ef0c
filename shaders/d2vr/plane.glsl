// The pixels of a picture on a plane through the object.
uniform vec3 corner, right, down;  // mm: pixel (0, 0), and steps to the next pixel

vec3 plane_point(vec2 pixel) { return corner + pixel.x * right + pixel.y * down; }
