// The rays of a picture; CameraBlock (render/gl/camera_block.hpp) fills the block. Lengths are in mm from a reference
// point near the object (the middle of the volume), so that floats suffice for far sources and small voxels.
layout(std140, binding = 0) uniform Camera {
  vec4 ray_origin, ray_origin_x, ray_origin_y;           // xyz; of pixel (0, 0), and the change per step in x and y
  vec4 ray_direction, ray_direction_x, ray_direction_y;  // w of the first: the eye is at -w times the direction
  vec4 to_light;                                         // unit vector
  ivec4 picture_size;                                    // xy
};

struct Ray {
  vec3 origin, direction;  // direction of length 1
  float nearest;           // only t >= nearest is in front of the eye
};

// `pixel`: row 0 is the top of the picture and the first row of its texture.
Ray camera_ray(vec2 pixel) {
  vec3 d = ray_direction.xyz + pixel.x * ray_direction_x.xyz + pixel.y * ray_direction_y.xyz;
  float l = length(d);
  return Ray(ray_origin.xyz + pixel.x * ray_origin_x.xyz + pixel.y * ray_origin_y.xyz, d / l, -ray_direction.w * l);
}

bool in_picture(ivec2 pixel) { return all(lessThan(pixel, picture_size.xy)); }

// 0 <= noise < 1, equal for a pixel in every frame, different between neighbours (interleaved gradient noise, after
// Jimenez, SIGGRAPH 2014 course "Advances in real-time rendering").
float pixel_noise(ivec2 pixel) {
  return fract(52.9829189 * fract(dot(vec2(pixel), vec2(0.06711056, 0.00583715))));
}
