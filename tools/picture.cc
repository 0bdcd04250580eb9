// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "picture.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "failure.h"

namespace clockwise::tool {
namespace {

namespace fs = std::filesystem;

constexpr int kNoProgram = 127;  // of a shell and of env

[[noreturn]] void Refuse(const std::string& why) {
  throw Failure(Exit::kRefused, "--picture: " + why);
}

// The installed program, or that of the build.
fs::path FindProgram() {
  if (const char* given = std::getenv("CLOCKWISE_PLOT")) return given;
  std::error_code error;
  const fs::path folder =
      fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path installed = folder / CLOCKWISE_LIBEXEC / "clockwise-plot";
  if (fs::exists(installed, error)) return installed;
  const fs::path built = folder / "plot" / "clockwise-plot";
  if (fs::exists(built, error)) return built;
  Refuse(fmt::format("no program '{}'; set CLOCKWISE_PLOT to where it is",
                     installed.lexically_normal().string()));
}

// A file without a name: no pipe, which one side could leave half-read.
class Scratch {
 public:
  Scratch() : file_(std::tmpfile(), std::fclose) {
    if (file_ == nullptr) Refuse(std::strerror(errno));
  }
  void Write(const std::string& text) {
    const size_t written =
        std::fwrite(text.data(), 1, text.size(), file_.get());
    if (written != text.size() || std::fflush(file_.get()) != 0) {
      Refuse(std::strerror(errno));
    }
    std::rewind(file_.get());
  }
  // What is in it, but for the newlines at its end.
  std::string Read() {
    std::rewind(file_.get());
    std::string text(4096, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), file_.get()));
    text.erase(text.find_last_not_of('\n') + 1);
    return text;
  }
  [[nodiscard]] int fd() const { return fileno(file_.get()); }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

// Returns the status of the program: 127 where it cannot be started.
int Run(const fs::path& program, const std::string& path, const Scratch& input,
        const Scratch& errors) {
  const pid_t child = fork();
  if (child < 0) Refuse(std::strerror(errno));
  if (child == 0) {
    dup2(input.fd(), STDIN_FILENO);
    dup2(errors.fd(), STDERR_FILENO);
    dup2(errors.fd(), STDOUT_FILENO);
    execl(program.c_str(), program.c_str(), path.c_str(), nullptr);
    _exit(kNoProgram);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

void CheckPictureName(const std::string& path) {
  if (path.ends_with(".svg") || path.ends_with(".png")) return;
  throw Failure(
      Exit::kMisuse,
      fmt::format("--picture: '{}' ends neither in .svg nor in .png", path));
}

void DrawPicture(const std::string& json, const std::string& path) {
  const fs::path program = FindProgram();
  Scratch input;
  Scratch errors;
  input.Write(json);
  const int status = Run(program, path, input, errors);
  if (status == 0) return;
  const std::string why = errors.Read();
  if (status == kNoProgram) {
    Refuse(
        fmt::format("'{}' cannot be run: it needs python3", program.string()));
  }
  Refuse(why.empty() ? program.string() + " failed" : why);
}

}  // namespace clockwise::tool
