"""llama.cpp's rules for sequences, each kept and each refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.capabilities import Capabilities
from engine.commands import TRUNK, Drop, Fork, Pass, Phase, Row, Trim
from engine.errors import ContextFullError, ScheduleError
from sim.memory import SequenceMemory


def a_pass(*rows: tuple[int, tuple[int, ...]]) -> Pass:
    """A pass of rows, each a position and its sequences; their tokens are numbered from 100."""
    return Pass(Phase.VALUES, tuple(Row(100 + n, position, sequences) for n, (position, sequences) in enumerate(rows)))


def memory_with_branches(**limits) -> SequenceMemory:
    """Three tokens on the trunk, and branches 1 and 2 forked from it."""
    memory = SequenceMemory(**limits)
    memory.hold([7, 8, 9])
    memory.fork(Fork(TRUNK, (1, 2)))
    return memory


def test_rows_are_appended_to_each_of_their_sequences():
    memory = memory_with_branches()
    memory.run(a_pass((3, (0, 1, 2)), (4, (1, 2)), (5, (1,)), (5, (2,)), (4, (0,)), (0, (5,))))
    held = {sequence: memory.tokens(sequence) for sequence in memory.sequences}
    assert held == {
        0: (7, 8, 9, 100, 104),
        1: (7, 8, 9, 100, 101, 102),
        2: (7, 8, 9, 100, 101, 103),
        5: (105,),
    }


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([(4, (0,))], r"position 4 of \(0,\) leaves a gap: they end at \[3\]"),
        ([(2, (0,))], r"position 2 of \(0,\) leaves a gap: they end at \[3\]"),
        ([(3, (0,)), (5, (0,))], r"position 5 of \(0,\) leaves a gap: they end at \[4\]"),
        ([(1, (3,))], r"position 1 of \(3,\) leaves a gap: they end at \[0\]"),
        ([(3, (0, 3))], r"position 3 of \(0, 3\) leaves a gap"),
        ([(3, (1,)), (3, (2,)), (4, (1, 2))], r"sequences \(1, 2\) grow within a pass, from \{1\}"),
        ([(3, (0, 1)), (4, (1, 2))], r"sequences \(1, 2\) grow within a pass"),
        ([(3, (8,))], r"sequence 8 is outside 0 to 7"),
        ([(3, (-1,))], r"sequence -1 is outside 0 to 7"),
        ([(3 + n, (0,)) for n in range(5)], r"a pass of 5 rows; llama.cpp aborts above 4"),
    ],
)
def test_rows_that_llama_cpp_would_not_take_are_refused(rows, message):
    memory = memory_with_branches(max_sequences=8, max_rows=4)
    with pytest.raises(ScheduleError, match=message):
        memory.run(a_pass(*rows))


def test_a_row_is_shared_only_by_sequences_that_hold_the_same():
    """The same tokens are not enough: they have to be the same cells, as a fork makes them."""
    memory = memory_with_branches()
    memory.run(a_pass((3, (1,)), (3, (2,))))
    with pytest.raises(ScheduleError, match=r"row shared by \(1, 2\), whose contents differ"):
        memory.run(a_pass((4, (1, 2))))
    apart = SequenceMemory()
    apart.hold([7, 8], 0)
    apart.hold([7, 8], 1)
    with pytest.raises(ScheduleError, match=r"whose contents differ"):
        apart.run(a_pass((2, (0, 1))))


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (Fork(TRUNK, (3, 1)), "fork to sequence 1, which is not empty"),
        (Fork(1, (TRUNK,)), "fork to sequence 0, which is not empty"),
        (Fork(TRUNK, (8,)), "sequence 8 is outside 0 to 7"),
    ],
)
def test_a_fork_goes_to_empty_sequences(command, message):
    with pytest.raises(ScheduleError, match=message):
        memory_with_branches(max_sequences=8).fork(command)


def test_a_dropped_sequence_is_empty_and_leaves_the_others():
    memory = memory_with_branches()
    memory.drop(Drop(1))
    assert memory.tokens(1) == ()
    assert memory.sequences == {0, 2}
    memory.fork(Fork(2, (1,)))
    assert memory.tokens(1) == (7, 8, 9)
    with pytest.raises(ScheduleError, match="sequence 256 is outside"):
        memory.drop(Drop(256))


def test_a_trimmed_sequence_loses_its_end_and_the_others_keep_theirs():
    memory = memory_with_branches()
    memory.run(a_pass((3, (1,)), (4, (1,))))
    memory.trim(Trim(1, 2))
    assert [memory.tokens(n) for n in (0, 1, 2)] == [(7, 8, 9), (7, 8), (7, 8, 9)]
    assert memory.used_cells == 3
    memory.run(a_pass((2, (1,))))
    with pytest.raises(ScheduleError, match="whose contents differ"):
        memory.run(a_pass((3, (0, 1))))


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (Trim(TRUNK, 4), r"Trim\(sequence=0, tokens=4\): the sequence holds 3 tokens"),
        (Trim(3, 1), "the sequence holds 0 tokens"),
        (Trim(256, 1), "sequence 256 is outside"),
    ],
)
def test_a_trim_leaves_a_start_of_what_is_held(command, message):
    with pytest.raises(ScheduleError, match=message):
        memory_with_branches().trim(command)


def test_a_memory_that_shares_no_rows_takes_each_sequence_alone():
    memory = memory_with_branches(capabilities=Capabilities(shares_rows=False))
    with pytest.raises(ScheduleError, match=r"row shared by \(0, 1\) in a memory whose sequences cannot share rows"):
        memory.run(a_pass((3, (0, 1))))
    memory.run(a_pass((3, (0,)), (3, (1,))))


def test_a_memory_that_removes_no_part_drops_whole_sequences():
    memory = memory_with_branches(capabilities=Capabilities(removes_part=False))
    with pytest.raises(
        ScheduleError, match=r"Trim\(sequence=1, tokens=2\): this memory cannot remove part of a sequence"
    ):
        memory.trim(Trim(1, 2))
    memory.trim(Trim(1, 3))
    memory.drop(Drop(1))
    assert [memory.tokens(n) for n in (0, 1)] == [(7, 8, 9), ()]


@pytest.mark.parametrize(
    ("held_before", "tokens", "is_kept"),
    [(3, 1, True), (4, 1, True), (5, 5, True), (5, 4, False), (5, 1, False), (6, 6, True), (6, 5, False)],
)
def test_behind_a_pass_a_window_allows_what_it_saw_before(held_before, tokens, is_kept):
    """A window of 4: what it does not see behind the tokens held before a pass may be used anew by that pass."""
    memory = SequenceMemory(capabilities=Capabilities(window_tokens=4))
    memory.hold(range(held_before))
    memory.run(a_pass((held_before, (0,)), (held_before + 1, (0,))))
    memory.fork(Fork(TRUNK, (1,)))
    for sequence in (TRUNK, 1):
        if is_kept:
            memory.trim(Trim(sequence, tokens))
            assert len(memory.tokens(sequence)) == tokens
        else:
            with pytest.raises(ScheduleError, match="what a window of 4 tokens sees there may be lost"):
                memory.trim(Trim(sequence, tokens))


def test_a_fork_sees_nothing_of_what_its_source_gets_later():
    memory = memory_with_branches()
    memory.run(a_pass((3, (0,))))
    assert memory.tokens(1) == (7, 8, 9)


def test_cells_are_counted_once_for_all_that_share_them():
    memory = memory_with_branches()
    assert memory.used_cells == 3
    memory.run(a_pass((3, (0, 1)), (4, (1,)), (3, (2,))))
    assert memory.used_cells == 6
    memory.drop(Drop(1))
    assert memory.used_cells == 5
    memory.drop(Drop(TRUNK))
    assert memory.used_cells == 4
    memory.drop(Drop(2))
    assert memory.used_cells == 0


def test_a_pass_without_room_is_refused_and_memory_is_as_before():
    memory = memory_with_branches(max_cells=5)
    memory.run(a_pass((3, (0,)), (3, (1,))))
    with pytest.raises(ContextFullError, match="no room for 1 rows beside 5 of 5") as caught:
        memory.run(a_pass((4, (0,))))
    assert caught.value.code == 1
    assert (memory.tokens(0), memory.used_cells) == ((7, 8, 9, 100), 5)
    memory.drop(Drop(1))
    memory.run(a_pass((4, (0,))))
    assert memory.tokens(0) == (7, 8, 9, 100, 100)


@given(st.lists(st.tuples(st.sampled_from("rfdt"), st.integers(0, 3), st.integers(0, 3)), max_size=30))
def test_memory_is_that_of_lists_of_tokens(steps):
    """Against the plainest model there is: a list for each sequence."""
    memory, plain = SequenceMemory(max_sequences=4), {n: [] for n in range(4)}
    cells = {n: [] for n in range(4)}
    for number, (kind, first, second) in enumerate(steps):
        if kind == "r":
            row = Row(number, len(plain[first]), (first,))
            memory.run(Pass(Phase.SERIAL, (row,)))
            plain[first].append(number)
            cells[first].append(object())
        elif kind == "d":
            memory.drop(Drop(first))
            plain[first], cells[first] = [], []
        elif kind == "t" and 0 < second <= len(plain[first]):
            memory.trim(Trim(first, second))
            del plain[first][second:], cells[first][second:]
        elif kind == "f" and first != second and not plain[second]:
            memory.fork(Fork(first, (second,)))
            plain[second], cells[second] = [*plain[first]], [*cells[first]]
        assert {n: list(memory.tokens(n)) for n in range(4)} == plain
        assert memory.sequences == {n for n in plain if plain[n]}
        assert memory.used_cells == len({id(cell) for held in cells.values() for cell in held})
