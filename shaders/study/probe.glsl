// Does one thing COUNT times in each of some rounds, and nothing else that takes time:
//   BILINEAR, NEAREST  fetches from four layers in rotation (by the sampler); CHANNELS of a texel are used
//   GATHER             four neighbours at once, as interpolation in software takes them
//   TRILINEAR          fetches from a 3-D texture
//   FMA                this number of independent chains of four multiply-adds, two operations each
//   COPY               reads one texel, of CHANNELS
//   BLEND              nothing: the blend unit reads and writes CHANNELS; `between` is 0, so that it adds nothing
//   WHERE              the number of the multiprocessor that runs this
#ifdef WHERE
#extension GL_NV_shader_thread_group : require
#endif
#ifdef TRILINEAR
layout(binding = 0) uniform sampler3D image;
#else
layout(binding = 0) uniform sampler2DArray image;
#endif
uniform float between;     // texels from an invocation to the next
uniform float drift;       // texels from a fetch to the next
uniform float image_size;  // along each side
uniform int rounds;

#if (defined(COPY) || defined(BLEND)) && CHANNELS == 4
#define RESULT vec4
#else
#define RESULT float
#endif

RESULT probe(vec2 p, int layer) {
#if defined(WHERE)
  return float(gl_SMIDNV);
#elif defined(BLEND)
  return RESULT(between * fract(0.37 * p.x + 0.73 * p.y));
#elif defined(COPY)
  return RESULT(texelFetch(image, ivec3(p, layer), 0)) + drift;
#elif defined(FMA)
  vec4 chain[FMA], x = vec4(between), y = vec4(drift), sum = vec4(0.0);
  for (int c = 0; c < FMA; ++c) chain[c] = vec4(p, p + float(c));
  for (int r = 0; r < rounds; ++r)
    for (int i = 0; i < COUNT; ++i)
      for (int c = 0; c < FMA; ++c) chain[c] = chain[c] * x + y;
  for (int c = 0; c < FMA; ++c) sum += chain[c];
  return dot(sum, vec4(1.0));
#else
  // Away from the borders, where fetches would cost less.
  vec2 start = fract(p * (between / image_size)) * 0.8 + 0.1;
  vec4 sum = vec4(0.0);
  for (int r = 0; r < rounds; ++r) {
    vec2 at = start + 0.01 / image_size * float(r);
    for (int i = 0; i < COUNT; ++i) {
      float z = float(i & 3);
#if defined(GATHER)
      sum += textureGather(image, vec3(at, z));
#elif defined(TRILINEAR)
      sum.x += textureLod(image, vec3(at, 0.1 + 0.2 * z), 0.0).r;
#elif CHANNELS == 4
      sum += textureLod(image, vec3(at, z), 0.0);
#else
      sum.x += textureLod(image, vec3(at, z), 0.0).r;
#endif
      at += drift / image_size;
    }
  }
  return dot(sum, vec4(1.0));
#endif
}
