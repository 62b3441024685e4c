// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

include "tegula/frontend/builtins/Builtin.td"

let theme = "tasks" in {

let hasEffect = 1 in
def : Builtin<"system.task_dummy", (takes Maybe<Any>:$deps),
    "a task that does nothing but come after others", Calls<"buildTask">>;

def : Builtin<"system.task_invalid", (takes), "no task, as `None`",
    Calls<"buildNoTask">>;

def : Builtin<"task_id_invalid", (takes), "as `pl.system.task_invalid()`",
    Calls<"buildNoTask">>;

def : Builtin<"task_id_of", (takes Any:$x),
    "the task that wrote `x`; program order is the meaning, so there is "
    "nothing in it", Calls<"buildTaskOf">>;

// A number that is known while compiling, as a tile shape may need it.
class MachineCount<string name, string part, string parts>
    : Builtin<name, (takes), "how many " # parts # " the target has",
              Calls<"buildCount", ["MachinePart::" # part]>>;

def : MachineCount<"system.available_cluster_count", "Clusters", "clusters">;
def : MachineCount<"system.available_aiv_count", "VectorCores", "vector cores">;

def : Builtin<"no_dep", (takes AnySubject:$x), "`x`", Calls<"buildMarked">>;

let hasEffect = 1 in
def : Builtin<"dump_tag", (takes AnySubject:$x), "`x`", Calls<"buildMarked">>;

// For prelude.py.
def : Builtin<"_is_shaped", (takes Any:$x), "whether it is a tensor or a tile",
    Calls<"buildIsShaped">>;
let hasEffect = 1 in
def : Builtin<"_assert", (takes Any:$condition, Maybe<Any>:$message),
    "an error of the call unless the condition holds", Calls<"buildAssert">>;

def : Builtin<"split", (takes Maybe<Any>:$mode, Maybe<Any>:$slot_num),
    "an entry of `optimizations=`, without effect", Calls<"buildSplit">>;

def : Builtin<"chunked_loop_optimizer", (takes Maybe<Any>:$split),
    "what `optimization=` takes, without effect; the parentheses may be left "
    "out", Calls<"buildChunkedLoop">>;

def : Builtin<"cross_core_slot", (takes Any:$slot_num),
    "an entry of `optimizations=`, without effect", Calls<"buildSlot">>;

def : Builtin<"array.create", (takes Named<Any, ["n"]>:$extent, Any:$dtype),
    "an array of integers or booleans, all 0; of tasks with `pl.TASK_ID`",
    Calls<"buildArray">>;

def : Builtin<"array.get_element",
    (takes Named<Any, ["a"]>:$array, Named<Any, ["i"]>:$index),
    "one element, as `array[index]`", Calls<"buildGetElement">>;

def : Builtin<"array.update_element",
    (takes Named<Any, ["a"]>:$array, Named<Any, ["i"]>:$index,
           Named<Any, ["v"]>:$value),
    "the array with another element", Calls<"buildUpdateElement">>;

} // theme
