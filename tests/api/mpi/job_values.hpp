#pragma once

#include <armilla/armilla.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace armilla {

inline constexpr Index kDegree = 10;

inline SpectraTable flat_table() { return {kDegree, {"TT"}, {std::vector<double>(kDegree + 1, 1.0)}, ""}; }

template <class T = double>
Alm<T> scalar_alm(const Communicator& comm, Index maps = 1) {
  Transform<T> t(comm, {.grid = make_healpix(4), .lmax = kDegree, .maps = maps});
  Alm<T> alm = t.make_alm();
  random_alm(alm, flat_table(), 9);
  return alm;
}

template <class T = double>
Map<T> scalar_map(const Communicator& comm) {
  Transform<T> t(comm, {.grid = make_healpix(4), .lmax = kDegree});
  Map<T> map = t.make_map();
  t.synthesis(scalar_alm<T>(comm), map);
  return map;
}

inline std::string job_text(const std::string& steps, const std::string& more = "") {
  return "version: 1\nsteps: [" + steps + "]\n" + more;
}

/// The message of the InputError that all ranks throw.
template <class Work>
std::string refusal_on_all(const Communicator& comm, Work&& work) {
  std::string message;
  try {
    work();
  } catch (const InputError& error) {
    message = error.what();
  }
  EXPECT_EQ(message, comm.broadcast(message)) << "the error of rank " << comm.rank();
  return message;
}

}  // namespace armilla
