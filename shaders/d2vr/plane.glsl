// A picture's pixels on a plane through the object.
uniform vec3 corner, right, down;  // mm: pixel (0, 0), and from one to the next

vec3 plane_point(vec2 pixel) { return corner + pixel.x * right + pixel.y * down; }
