#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the fuzzer of one input (source, ir) for some seconds: scripts/fuzz.sh INPUT SECONDS SEEDS... What it learns stays
# in the build folder; an input that it fails on is left there and printed.
set -euo pipefail
cd "$(dirname "$0")/.."

input=$1 seconds=$2
shift 2
learnt=build-asan/fuzz/$input
mkdir -p "$learnt"
build-asan/bin/tegula-fuzz-"$input" -max_total_time="$seconds" -max_len=4096 -timeout=20 -rss_limit_mb=4096 \
    -use_value_profile=1 -print_final_stats=1 -verbosity=0 -artifact_prefix="$learnt-failed-" "$learnt" "$@"
