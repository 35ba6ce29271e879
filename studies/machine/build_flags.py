"""How llama.cpp has to be compiled on this machine: `python -m studies.machine.build_flags` prints the flags.

Where the processor has AMX, llama.cpp's native build uses it. Its tile configuration lies on the stack, and gcc drops
the stores to it, since the intrinsic does not say that it reads them: the first tile that a thread loads is then an
illegal instruction (ggml-org/llama.cpp, pull request 26954). So a program that does the same is compiled and run; where
it dies, llama.cpp is built without AMX. Needs nothing but Python, so that `make` can ask before anything is installed.
"""

import os
import shlex
import shutil
import subprocess
import sys
from enum import Enum
from pathlib import Path
from tempfile import TemporaryDirectory

WITHOUT_AMX = ("-mno-amx-tile", "-mno-amx-int8", "-mno-amx-bf16")
"""What keeps gcc and clang from using AMX in a native build."""

COMPILE_SECONDS = 60

_PROGRAM = """
#if !defined(__AMX_TILE__)
int main() { return 0; }
#else
#include <cstdint>
#include <immintrin.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

struct TileConfig {
    uint8_t palette = 0, start_row = 0, reserved[14] = {0};
    uint16_t row_bytes[16] = {0};
    uint8_t rows[16] = {0};
};

static void use_a_tile() {
    static thread_local bool is_configured = false;
    if (!is_configured) {
        alignas(64) TileConfig config = {};
        config.palette = 1;
        config.rows[0] = 8;
        config.row_bytes[0] = 64;
        _tile_loadconfig(&config);
        is_configured = true;
    }
    alignas(64) static char data[16 * 64];
    _tile_loadd(0, data, 64);
}

int main() {
    const int request_permission = 0x1023, tile_data = 18;
    if (syscall(SYS_arch_prctl, request_permission, tile_data) != 0) return 0;
    use_a_tile();
    std::thread worker(use_a_tile);
    worker.join();
    return 0;
}
#endif
"""


class AmxBuild(Enum):
    """What a native build makes of AMX here."""

    WORKS = "a native build works here"
    BREAKS = "this compiler breaks llama.cpp's AMX kernels, so it is built without them"
    UNKNOWN = "no C++ compiler to try"


def try_amx(compiler: str | None = None) -> AmxBuild:
    """Compile and run the program with `compiler`, by default the one that cmake would take.

    A compiler that cannot compile it is taken to work: what it lacks, such as the headers, shows in llama.cpp's build.
    """
    command = compiler or _default_compiler()
    if command is None:
        return AmxBuild.UNKNOWN
    with TemporaryDirectory() as folder:
        source, program = Path(folder, "tiles.cpp"), Path(folder, "tiles")
        source.write_text(_PROGRAM, encoding="utf-8")
        compiling = [*shlex.split(command), "-march=native", "-O2", "-pthread", str(source), "-o", str(program)]
        if _exit_code(compiling) != 0:
            return AmxBuild.WORKS
        return AmxBuild.BREAKS if _exit_code([str(program)]) < 0 else AmxBuild.WORKS


def _default_compiler() -> str | None:
    return os.environ.get("CXX") or next(filter(shutil.which, ("c++", "g++", "clang++")), None)


def _exit_code(command: list[str]) -> int:
    """The command's exit code, negative where a signal ended it; 1 where it does not run."""
    try:
        return subprocess.run(command, capture_output=True, timeout=COMPILE_SECONDS, check=False).returncode
    except (OSError, subprocess.TimeoutExpired):
        return 1


if __name__ == "__main__":
    found = try_amx()
    if found is AmxBuild.BREAKS:
        print(f"{found.value}.", file=sys.stderr)
        print(*WITHOUT_AMX)
