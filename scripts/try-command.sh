# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What an installed command can do where there is no compiler: sourced with the command's path, in a bare system.
tegula="$1"

# time_of WHAT COMMAND...: the least of five.
time_of() {
    local what="$1" best=999999 begin took
    shift
    for _ in 1 2 3 4 5; do
        begin=$(date +%s%N)
        "$@" >/dev/null
        took=$((($(date +%s%N) - begin) / 1000000))
        best=$((took < best ? took : best))
    done
    echo "$what: $best ms"
}

echo "== the command"
"$tegula" --version
for target in cpu interpreter npu:tpuv3 cuda:emulate; do
    "$tegula" run /given/examples/softmax.py --dim M=100 --dim N=33 --check --no-reference --target "$target"
done
# Ranks are started by MPI, and where there is none the message says what to install.
if "$tegula" run /given/examples/ranks/shift.py --ranks 2 --dim NR=2 --dim N=1000 2>ranks.txt; then
    echo "ranks ran without MPI" >&2
    exit 1
fi
grep -q openmpi-bin ranks.txt
"$tegula" sim /given/examples/gemm.py --dim M=64 --dim N=64 --dim K=64 >sim.txt
grep -q cycles sim.txt
"$tegula" build /given/examples/softmax.py --no-threads -o libsoftmax.so --header softmax.h
"$tegula" ir /given/examples/softmax.py --stage asm >softmax.s
grep -q ret softmax.s
"$tegula" run /given/examples/flash_attention.py --dim H=2 --dim SQ=65 --dim SK=70 --scalar scale=0.125 --check --no-reference
# The playground answers, and ends when it is told to.
"$tegula" serve >address.txt &
server=$!
while [ ! -s address.txt ]; do sleep 0.1; done
python3 - "$(<address.txt)" <<'END'
import json, sys, urllib.request

url = sys.argv[1]
choices = json.load(urllib.request.urlopen(url + "choices"))
request = urllib.request.Request(
    url + "run", json.dumps(choices["examples"][0]).encode(), {"Content-Type": "application/json"}
)
reply = json.load(urllib.request.urlopen(request))
assert reply["ok"] and "ok, largest error" in reply["text"], reply
END
kill -INT "$server"
wait "$server"
time_of 'tegula --version' "$tegula" --version
