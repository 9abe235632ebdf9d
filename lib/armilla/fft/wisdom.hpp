#pragma once

#include <armilla/core/types.hpp>

#include <filesystem>
#include <set>
#include <string>

namespace armilla::fft {

using core::Index;

/// Whether plans of this length are chosen by FFTW_MEASURE: 1, 3, 5, 7, 9 or 15 times a power of two, from 512 on.
/// These are the lengths of most rings and of all padded chirps; to time all others too would take long.
bool is_measured(Index length);

/// The file of this precision, this FFTW and this kind of processor in core::cache_folder(); empty where there is none.
template <class T>
std::filesystem::path wisdom_file();

/// Puts into the process what FFTW_MEASURE finds for those of `lengths` that are measured: from the file where it has
/// them, else timed now, at most half a second each, and added to the file. What the process or the file knows already
/// stays as it is. One process at a time works on the file, others wait for it some seconds. Returns wisdom() then.
/// Where the file cannot be read, locked or written, all is measured for this process alone, and the log says so.
template <class T>
std::string measure(const std::set<Index>& lengths);

/// What the process knows, as text for import_wisdom of another process on the same kind of machine.
template <class T>
std::string wisdom();

/// Adds such text. False, and nothing is changed, where it is damaged or of another version.
template <class T>
bool import_wisdom(const std::string& text);

/// As measure, for one length and without the file; for plans that nobody prepared.
template <class T>
void learn(Index length);

}  // namespace armilla::fft
