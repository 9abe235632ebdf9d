#!/usr/bin/env bash
# python_env.sh BUILD [newest]: makes BUILD/python_env, the virtual environment that builds the Python package, with numpy,
# healpy and mpi4py of the system and the tools of the build from PyPI; with `newest`, BUILD/newest_env, whose packages
# are the newest of PyPI. Fast if it exists. Prints its Python. Without PyPI, says so and fails.
set -euo pipefail
build=$1
case ${2:-} in
  newest)
    environment=$build/newest_env options=()
    packages=(ducc0 h5py healpy jax mpi4py numpy pytest scipy xarray)
    ;;
  *)
    environment=$build/python_env options=(--system-site-packages)
    packages=('nanobind>=2.10,<4' 'scikit-build-core>=0.10')
    ;;
esac
if [ ! -e "$environment/complete" ]; then
  # The Python of the system, which has its packages.
  "$(PATH=/usr/bin:$PATH command -v python3)" -m venv "${options[@]}" "$environment" >&2 &&
    "$environment/bin/python" -m pip install -q --disable-pip-version-check --retries 1 "${packages[@]}" >&2 &&
    touch "$environment/complete" || {
    echo "python_env: ${packages[*]} could not be installed from PyPI" >&2
    exit 1
  }
fi
realpath -s "$environment/bin/python"
