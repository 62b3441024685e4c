#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A slice of what runs at night, for every commit: scripts/slice.sh SEED. A failure prints the seed.
set -euo pipefail
cd "$(dirname "$0")/.."

seed=$1 jobs=$(nproc)
trap 'echo "slice: failed; repeat it with: make slice SEED=$seed" >&2' ERR
differential() {
    build/bin/tegula-differential --seed "$seed" --jobs "$jobs" "$@"
}

export TEGULA_BIN=$PWD/build/bin
differential --count 400
for theme in carries grids barriers windows scratch matmuls epilogues norms ends panels attention edges ranks; do
    differential --count 10 --only $theme
done
for theme in rows layers; do
    differential --count 4 --only $theme --configuration 11
done
.venv/bin/python test/oracle/compare.py random --seed "$seed" --count 30 --jobs "$jobs"
.venv/bin/python test/torch/random_graphs.py --seed "$seed" --count 6
.venv/bin/python test/python/random_calls.py --seed "$seed" --count 1
# Ranks are killed by `make test`: how long that takes depends on what else the machine does.
.venv/bin/python test/faults/run.py --slice --seed "$seed" kills
