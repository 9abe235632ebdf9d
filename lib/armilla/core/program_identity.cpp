#include <armilla/core/build_info.hpp>
#include <armilla/core/program_identity.hpp>

#include <cstddef>
#include <cstring>
#include <span>

#include <fmt/format.h>
#include <link.h>
#include <sys/stat.h>

namespace armilla::core {

namespace {

/// The build ID in the notes of an ELF segment, in hexadecimal digits; empty if there is none.
std::string build_id_in(std::span<const unsigned char> notes, std::size_t alignment) {
  const auto aligned = [&](std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; };
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) head;
    std::memcpy(&head, notes.data(), sizeof(head));
    const std::size_t begin = aligned(sizeof(head) + head.n_namesz);
    const std::size_t end = begin + head.n_descsz;
    if (end > notes.size()) return {};
    if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == sizeof(ELF_NOTE_GNU) &&
        std::memcmp(notes.data() + sizeof(head), ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) == 0)
      return fmt::format("{:02x}", fmt::join(notes.subspan(begin, head.n_descsz), ""));
    if (aligned(end) >= notes.size()) return {};
    notes = notes.subspan(aligned(end));
  }
  return {};
}

// The first object is the program itself; a non-zero return value ends the search.
int find_build_id(dl_phdr_info* program, std::size_t, void* found) {
  for (const ElfW(Phdr) & segment : std::span(program->dlpi_phdr, program->dlpi_phnum)) {
    if (segment.p_type != PT_NOTE) continue;
    const auto* begin = reinterpret_cast<const unsigned char*>(program->dlpi_addr + segment.p_vaddr);
    const std::string id = build_id_in({begin, segment.p_memsz}, segment.p_align == 8 ? 8 : 4);
    if (id.empty()) continue;
    *static_cast<std::string*>(found) = id;
    break;
  }
  return 1;
}

}  // namespace

std::string program_identity() {
  std::string id;
  dl_iterate_phdr(find_build_id, &id);
  if (!id.empty()) return id;
  struct stat file = {};
  stat("/proc/self/exe", &file);
  return fmt::format("{} {} {}.{:09}", kVersion, file.st_size, file.st_mtim.tv_sec, file.st_mtim.tv_nsec);
}

}  // namespace armilla::core
