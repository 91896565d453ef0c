#include "window/fonts.hpp"

#include <imgui_internal.h>

#include <array>
#include <filesystem>
#include <set>
#include <vector>

namespace backlit::viewer {
namespace {

constexpr ImWchar box = 0x25a1;  ///< shown for a letter that no font has

ImFont *bold = nullptr, *little = nullptr;
std::set<ImWchar> wanted;
bool stale = false;
std::string hint;

/// Latin, Greek, Cyrillic, punctuation, arrows and the few signs that menus use.
constexpr ImWchar usual[] = {0x20,   0x24f,  0x370,  0x52f,  0x2010, 0x2027, 0x2190,
                             0x21ff, 0x2200, 0x22ff, 0x25a0, 0x25ff, 0};

constexpr std::array regular{
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf", "/usr/share/fonts/TTF/DejaVuSans.ttf"};
constexpr std::array heavy{
    "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf", "/usr/share/fonts/truetype/noto/NotoSans-Bold.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationSans-Bold.ttf", "/usr/share/fonts/TTF/DejaVuSans-Bold.ttf"};
/// From Debian's fonts-droid-fallback, fonts-noto-cjk, fonts-wqy-zenhei and fonts-unifont.
constexpr std::array others{
    "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", "/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc",
    "/usr/share/fonts/opentype/unifont/unifont.otf", "/usr/share/fonts/truetype/unifont/unifont.ttf"};

bool is_usual(ImWchar c) {
  for (std::size_t i = 0; usual[i] != 0; i += 2)
    if (c >= usual[i] && c <= usual[i + 1]) return true;
  return false;
}

/// `ranges` must live until the fonts are built.
ImFont* load(const std::array<const char*, 4>& files, float pixels, const ImWchar* ranges) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  ImFont* font = nullptr;
  for (const char* file : files)
    if (!font && std::filesystem::exists(file)) font = atlas.AddFontFromFileTTF(file, pixels, nullptr, ranges);
  if (!font) {
    ImFontConfig config;
    config.SizePixels = pixels;
    return atlas.AddFontDefault(&config);
  }
  font->FallbackChar = box;
  if (wanted.empty()) return font;
  ImFontConfig merge;
  merge.MergeMode = true;
  for (const char* file : others)
    if (std::filesystem::exists(file)) atlas.AddFontFromFileTTF(file, pixels, &merge, ranges);
  return font;
}

}  // namespace

ImFont* bold_font() { return bold; }
ImFont* small_font() { return little; }

void want_letters(const std::string& text) {
  const char* at = text.c_str();
  while (*at != 0) {
    unsigned c = 0;
    at += ImTextCharFromUtf8(&c, at, nullptr);
    if (c == 0) break;
    if (c <= 0xffff && !is_usual(static_cast<ImWchar>(c)) && wanted.insert(static_cast<ImWchar>(c)).second)
      stale = true;
  }
}

bool want_fonts() { return stale; }
const std::string& missing_letters() { return hint; }

void load_fonts(float pixels) {
  static std::vector<ImWchar> ranges;
  ranges.assign(std::begin(usual), std::end(usual) - 1);
  for (const ImWchar c : wanted) ranges.insert(ranges.end(), {c, c});
  ranges.push_back(0);
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  ImFont* const plain = load(regular, pixels, ranges.data());
  little = load(regular, pixels * 0.87f, ranges.data());
  bold = load(heavy, pixels * 1.5f, usual);
  atlas.Build();
  stale = false;
  hint.clear();
  for (const ImWchar c : wanted)
    if (!plain->FindGlyphNoFallback(c))
      hint = "Some letters have no font on this computer: apt-get install fonts-droid-fallback";
}

}  // namespace backlit::viewer
