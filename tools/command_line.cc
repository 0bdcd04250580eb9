// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "command_line.h"

#include <CLI/CLI.hpp>
#include <utility>

#include "output.h"

namespace clockwise::tool {
namespace {

// The arguments, last one first, as the parser takes them. It would look for
// the value of "--flag=" in the next argument.
std::vector<std::string> Arguments(int argc, char** argv) {
  std::vector<std::string> arguments;
  bool is_after_mark = false;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    is_after_mark |= argument == "--";
    const size_t equals = argument.find('=');
    if (!is_after_mark && argument.starts_with("--") &&
        equals == argument.size() - 1) {
      arguments.push_back(argument.substr(0, equals));
      argument.clear();
    }
    arguments.push_back(std::move(argument));
  }
  return {arguments.rbegin(), arguments.rend()};
}

}  // namespace

std::shared_ptr<CLI::App> MakeProgram(const char* name, const char* help) {
  auto program = std::make_shared<CLI::App>(help, name);
  program->set_version_flag("--version",
                            name + std::string(" " CLOCKWISE_VERSION));
  return program;
}

void ExpectVerb(CLI::App& program) {
  program.require_subcommand(0, 1);
  program.get_formatter()->label("SUBCOMMAND", "VERB");
  program.get_formatter()->label("Subcommands", "Verbs");
}

CLI::App& AddVerb(CLI::App& program, const char* name, const char* help,
                  Action run, Action& action) {
  CLI::App* verb = program.add_subcommand(name, help);
  verb->callback([run = std::move(run), &action] { action = run; });
  return *verb;
}

void SetFooter(CLI::App& app, const char* text) { app.footer(text); }

Option Option::Type(const char* name) {
  option_->type_name(name);
  return *this;
}

Option Option::Group(const char* heading) {
  option_->group(heading);
  return *this;
}

Option Option::Required() {
  option_->required();
  return *this;
}

Option Option::Needs(const char* name) {
  option_->needs(std::string(name));
  return *this;
}

Option Option::Excludes(const char* name) {
  option_->excludes(std::string(name));
  return *this;
}

Option AddOption(CLI::App& app, const char* name, std::string& value,
                 const char* help) {
  return Option(app.add_option(name, value, help));
}

Option AddOption(CLI::App& app, const char* name,
                 std::optional<std::string>& value, const char* help) {
  return Option(app.add_option(name, value, help));
}

Option AddFlag(CLI::App& app, const char* name, bool& value, const char* help) {
  return Option(app.add_flag(name, value, help));
}

Option AddRest(CLI::App& app, const char* name,
               std::vector<std::string>& values, const char* help) {
  return Option(app.add_option(name, values, help));
}

Option AddRepeated(CLI::App& app, const char* name,
                   std::vector<std::string>& values, const char* help) {
  // The callback gets the texts as given; conversion to a vector would read
  // some of them, such as "[a,b]" and "{}", as lists.
  const auto take = [&values](const CLI::results_t& texts) {
    values = texts;
    return true;
  };
  return Option(app.add_option(name, take, help)
                    ->expected(1, CLI::detail::expected_max_vector_size)
                    ->allow_extra_args(false));
}

Option AddInOrder(CLI::App& app, const char* name,
                  std::function<void(const std::string& value)> take,
                  const char* help) {
  const auto take_all = [take = std::move(take)](const CLI::results_t& texts) {
    for (const std::string& text : texts) take(text);
    return true;
  };
  return Option(app.add_option(name, take_all, help)->trigger_on_parse());
}

bool ParseArguments(CLI::App& program, int argc, char** argv) {
  try {
    program.parse(Arguments(argc, argv));
    return true;
  } catch (const CLI::CallForVersion& version) {
    Print(std::string(version.what()) + '\n');
    return false;
  } catch (const CLI::Success&) {
    Print(program.help());
    return false;
  } catch (const CLI::ParseError& error) {
    throw Failure(Exit::kMisuse, std::string(error.what()) + "; see " +
                                     program.get_name() + " --help");
  }
}

}  // namespace clockwise::tool
