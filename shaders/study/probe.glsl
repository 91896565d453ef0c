// One thing COUNT times, and nothing else that takes time:
//   BILINEAR, NEAREST  fetches from layers in turn (the sampler tells which); CHANNELS of a texel are used
//   GATHER             four neighbours at once, as interpolation in software takes them
//   TRILINEAR          fetches from a 3-D texture
//   FMA                16 operations each
//   COPY               one texel read
//   BLEND              nothing: the blend unit reads and writes
//   WHERE              the number of the multiprocessor that runs this
#ifdef WHERE
#extension GL_NV_shader_thread_group : require
#endif
#ifdef TRILINEAR
layout(binding = 0) uniform sampler3D image;
#else
layout(binding = 0) uniform sampler2DArray image;
#endif
uniform float between;  // texels from an invocation to its neighbour
uniform float drift;    // texels from a fetch to the next
uniform float size;     // of the image, along each side

float probe(vec2 p) {
#if defined(WHERE)
  return float(gl_SMIDNV);
#elif defined(BLEND)
  return fract(0.37 * p.x + 0.73 * p.y);
#elif defined(COPY)
  return texelFetch(image, ivec3(p, 0), 0).r + drift;
#elif defined(FMA)
  vec4 a = vec4(p, p + 3.0), b = vec4(5.0 * p, 7.0 * p), x = vec4(between), y = vec4(drift);
  for (int i = 0; i < COUNT; ++i) {
    a = a * x + y;
    b = b * x + y;
  }
  return dot(a + b, vec4(1.0));
#else
  // Away from the borders, which would cost less.
  vec2 at = fract(p * (between / size)) * 0.8 + 0.1;
  vec4 sum = vec4(0.0);
  for (int i = 0; i < COUNT; ++i) {
    float layer = float(i & 3);
#if defined(GATHER)
    sum += textureGather(image, vec3(at, layer));
#elif defined(TRILINEAR)
    sum.x += textureLod(image, vec3(at, 0.1 + 0.2 * layer), 0.0).r;
#elif CHANNELS == 4
    sum += textureLod(image, vec3(at, layer), 0.0);
#else
    sum.x += textureLod(image, vec3(at, layer), 0.0).r;
#endif
    at += drift / size;
  }
  return dot(sum, vec4(1.0));
#endif
}
