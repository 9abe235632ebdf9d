#include <armilla/comm/phase.hpp>
#include <armilla/io/checksum.hpp>

#include <fstream>
#include <set>
#include <string>

#include "../io_support.hpp"
#include "shared_folder.hpp"
#include "support/mpi_main.hpp"

namespace armilla::test {

namespace {

using comm::Communicator;

std::string numbers(std::size_t bytes) {
  std::string text(bytes, '\0');
  std::uint64_t state = 88172645463325252u;
  for (char& c : text) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    c = static_cast<char>(state);
  }
  return text;
}

std::string checksum_of(const Communicator& world, const std::string& path, const std::string& text) {
  if (world.is_root()) std::ofstream(path, std::ios::binary) << text;
  world.barrier();
  const std::string together = io::file_checksum(world, path);
  EXPECT_EQ(together, io::file_checksum(path));
  world.barrier();
  return together;
}

TEST(Checksum, IsThatOfTheBytesOnAnyNumberOfRanks) {
  const Communicator world = Communicator::world();
  const SharedFolder folder(world);
  std::set<std::string> seen;
  // Around the ends of blocks and of the steps within them.
  for (const std::size_t bytes : {0u, 1u, 63u, 64u, 65u, 4194303u, 4194304u, 4194305u, 13000000u})
    EXPECT_TRUE(seen.insert(checksum_of(world, folder / "file", numbers(bytes))).second) << bytes;
}

// claims: guarantee verify
TEST(Checksum, FindsEveryBitAndTheOrderOfBlocks) {
  const Communicator world = Communicator::world();
  const SharedFolder folder(world);
  const std::string text = numbers(9000000);
  std::set<std::string> seen{checksum_of(world, folder / "file", text)};
  for (const std::size_t at : {0u, 8u, 63u, 4194303u, 4194304u, 8999999u})
    for (const int bit : {0, 7}) {
      std::string other = text;
      other[at] = static_cast<char>(other[at] ^ (1 << bit));
      EXPECT_TRUE(seen.insert(checksum_of(world, folder / "file", other)).second) << at << " " << bit;
    }
  // Two flips of the highest bits of words that one lane takes after each other must not cancel.
  std::string two = text;
  two[7] = static_cast<char>(two[7] ^ 0x80);
  two[71] = static_cast<char>(two[71] ^ 0x80);
  EXPECT_TRUE(seen.insert(checksum_of(world, folder / "file", two)).second);
  constexpr std::size_t kBlock = 4194304;
  const std::string exchanged = text.substr(kBlock, kBlock) + text.substr(0, kBlock) + text.substr(2 * kBlock);
  EXPECT_TRUE(seen.insert(checksum_of(world, folder / "file", exchanged)).second);
}

TEST(Checksum, SaysWhichFileIsMissingOnAllRanks) {
  const Communicator world = Communicator::world();
  const SharedFolder folder(world);
  try {
    io::file_checksum(world, folder / "none");
    FAIL() << "no InputError";
  } catch (const core::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("none' cannot be opened"), std::string::npos);
  }
}

// Run in the phases of file_checksum() on the root; the second one reads.
std::string g_shrinking;
void shrink(comm::PhaseMoment moment, const char* file, int) {
  static int phases = 0;
  if (moment != comm::PhaseMoment::kAfter || std::string_view(file).find("checksum.cpp") == std::string_view::npos)
    return;
  if (++phases == 1 && Communicator::world().is_root()) truncate_to(g_shrinking, 100);
}

TEST(Checksum, OfAFileThatShrinksIsAnErrorOnAllRanks) {
  const Communicator world = Communicator::world();
  const SharedFolder folder(world);
  g_shrinking = folder / "file";
  if (world.is_root()) std::ofstream(g_shrinking, std::ios::binary) << numbers(13000000);
  world.barrier();
  comm::set_phase_hook(shrink);
  expect_error<core::InputError>([&] { io::file_checksum(world, g_shrinking); }, {g_shrinking, "was truncated"});
  comm::set_phase_hook(nullptr);
}

}  // namespace

}  // namespace armilla::test
