#include <backlit/core/error.hpp>

#include <backlit/core/printable.hpp>

namespace backlit {
namespace {

std::string one_line(std::string_view where, std::string_view problem, std::string_view remedy) {
  std::string text;
  if (!where.empty()) text.append(where).append(": ");
  text.append(problem);
  if (!remedy.empty()) text.append("; ").append(remedy);
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  return printable(text);
}

}  // namespace

Error::Error(std::string_view where, std::string_view problem, std::string_view remedy)
    : std::runtime_error(one_line(where, problem, remedy)) {}

}  // namespace backlit
