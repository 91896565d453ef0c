#include "options/method_flags.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <set>

#include <backlit/recon/method_options.hpp>
#include "command.hpp"
#include "help_page.hpp"

namespace backlit::cli {
namespace {

/// Parameters in the short help; all others appear only in the help of a method.
const std::vector<std::string> common{"precision", "iterations"};

std::string page_of(const std::string& name) {
  Method method(name);
  CLI::App page;
  page.set_help_flag();
  CLI::Formatter formatter;
  formatter.column_width(34);
  add_parameter_flags(page, method.parameters(), fmt::format("Options of {}", name));
  const MethodInfo& info = method.info();
  return fmt::format(
      "{}: {}\n{}\n{}\n{}\nFlags for the scan, the volume, the device and the output: backlit recon "
      "--help\n",
      info.name, info.title, info.about, info.paper, formatter.make_groups(&page, CLI::AppFormatMode::Normal));
}

std::string list_of_methods() {
  std::string text = "Methods (backlit recon --help METHOD: its options):\n";
  for (const std::string& name : method_names()) text += fmt::format("  {:<13} {}\n", name, method_info(name).title);
  return text;
}

}  // namespace

void MethodFlags::add(CLI::App& app) {
  app.add_option_function<std::string>(
         "--method", [this](const std::string& name) { name_ = method_info(name).name; },
         "reconstruction method, see below (default fdk; of a helix hfdk)")
      ->type_name("NAME")
      ->group("Method");
  std::set<std::string> known;
  for (const std::string& name : method_names()) {
    Method method(name);
    for (const Parameter& p : method.parameters()) {
      if (!known.insert(p.name).second) continue;
      const bool shown = std::ranges::count(common, p.name) > 0;
      const auto takers = methods_with(p.name);
      const std::string help = shown || takers.size() == method_names().size()
                                   ? help_text(p)
                                   : fmt::format("{} [{}]", help_text(p), fmt::join(takers, ", "));
      const auto set = [this, key = p.name](const std::string& value) {
        values_.emplace_back(key, key == "model" ? present_name(value) : value);
      };
      CLI::Option* option = nullptr;
      if (std::holds_alternative<bool*>(p.target))
        option = app.add_flag_function(
            flag_name(p.name), [set](std::int64_t) { set("true"); }, help);
      else
        option = app.add_option_function<std::string>(flag_name(p.name), set, help)->type_name(type_name(p));
      option->group(shown ? "Method" : "");
      if (!shown) hidden_.emplace_back(option, "Options of methods");
    }
  }
}

void MethodFlags::add_help(CLI::App& app, const std::vector<std::string>& rare) {
  for (const std::string& flag : rare) {
    CLI::Option* option = app.get_option(flag);
    hidden_.emplace_back(option, option->get_group());
    option->group("");
  }
  const std::string footer = app.get_footer();
  app.footer(list_of_methods() + footer);
  app.set_help_flag();
  const auto print = [&app] {
    fmt::print("{}", help_page(app.help("backlit")));
    throw CLI::Success();
  };
  app.add_flag_function(
         "-h,--help", [print](std::int64_t) { print(); }, "this page; --help METHOD: options of a method")
      ->trigger_on_parse();
  app.add_flag_function(
         "--help-all",
         [this, print](std::int64_t) {
           for (const auto& [option, group] : hidden_) option->group(group);
           print();
         },
         "all options, including those of all methods")
      ->trigger_on_parse();
}

bool print_method_page(int argc, char** argv) {
  const auto names = method_names();
  for (int i = 2; i + 1 < argc; ++i) {
    const std::string flag = argv[i], name = argv[i + 1];
    if ((flag != "--help" && flag != "-h") || std::ranges::count(names, name) == 0) continue;
    fmt::print("{}", help_page(page_of(name)));
    return true;
  }
  return false;
}

Method MethodFlags::method(const std::string& otherwise) const {
  Method method(named() ? name_ : otherwise);
  std::vector<std::string> given;
  for (const auto& [parameter, value] : values_) {
    method.set(parameter, value);
    given.push_back(parameter);
  }
  check(method, given);
  return method;
}

}  // namespace backlit::cli
