//! The library of programs against rustc's own: the same functions, compiled into this test and interpreted.

use std::panic::catch_unwind;
use std::thread;

use overdub_context::interp::Interpreter;
use overdub_lower::Loaded;

/// A function and its name.
type Case = (&'static str, fn() -> String);

/// A module of functions from nothing to a text: its name, its source, and the functions as rustc compiles them.
struct Suite {
    file: &'static str,
    source: &'static str,
    cases: &'static [Case],
}

macro_rules! suite {
    ($SUITE:ident $module:ident $path:literal: $($name:ident)*) => {
        #[path = $path]
        #[allow(clippy::all, unused, unreachable_pub, deprecated)]
        mod $module;

        const $SUITE: Suite = Suite {
            file: $path,
            source: include_str!($path),
            cases: &[$((stringify!($name), $module::$name)),*],
        };
    };
}

suite! { ITERATORS iterators "library/iterators.rs":
    ranges steps zips adapters flattening sources folds searches collects peeking lends_and_boxes compares
    hints own_iterators
}

suite! { SLICES slices "library/slices.rs":
    reading pieces writing mutable_pieces sorting arrays maps tree_maps sets queues orders taken_off cloned_into of_nothing here_and_there
}

suite! { NUMBERS numbers "library/numbers.rs":
    integers casts floats constants parses operators wrappers
}

suite! { TEXT text "library/text.rs":
    strings formats options results cells moves hashing dynamic threads
    temporaries_end_with_the_format
}

suite! { FAILURES failures "library/failures.rs":
    chunks_of_none windows_of_none removes_behind inserts_behind swap_removes_behind splits_behind
    splits_off_behind clamps_wrongly clamps_an_integer_wrongly steps_by_none copies_from_too_much
    drains_behind slices_behind slices_too_far slices_backwards swaps_behind
    rotates_too_far looks_up_nothing looks_up_nothing_in_a_tree looks_into_an_empty_queue powers_overflow
    logarithm_of_zero root_of_negative absolute_value_overflows euclid_by_zero sums_overflow converts_too_much
    parses_no_number parses_no_integer expects_a_value expects_a_result unwraps_an_error_that_is_none
    unwraps_none asserts asserts_difference asserts_a_condition never_gets_here is_to_be_done is_not_there
    digit_of_what_radix truncates_inside_a_character slices_inside_a_character divides_a_duration_by_zero
    writes_while_read reads_while_written upgrades_what_is_gone unwraps_what_is_shared
}

suite! { PROGRAMS programs "library/programs.rs":
    generic_display matrices trees lists mutable_iteration closures generics
}

suite! { ALGORITHMS algorithms "library/algorithms.rs":
    parser graph observers parents state_machines numerics linear
}

suite! { CORNERS corners "library/corners.rs":
    lazies vectors text_pieces collected_text writers durations more_maps refs traits
}

suite! { STREAMS streams "library/streams.rs":
    lines_of_a_cursor positions writes_into_a_vector reads_until_a_byte chained_and_limited writes_into_a_slice errors
    copies numbers_in_lines boxed_readers seeks
}

suite! { PATHS paths "library/paths.rs":
    parts joined compared changed notified
}

suite! { STRANGERS strangers "library/strangers.rs":
    methods_around_a_parameter documentation_in_macros functions_in_macros conditions_through_macros
    values_of_unsized_places wrapping_and_nonzero primitive_paths escapes_and_checks debug_in_hex
    channels_end_with_their_senders channels_run_dry one_impl_alone errors_of_known_type
    initialised_once
}

suite! { CRATES crates "library/crates.rs":
    collections_of_another_hasher boxes_of_slices numbers_with_conditions operators_of_references
    arguments_of_a_trait_that_begin_with_two_angles bounds_of_an_associated_type an_unnamed_type_in_a_bound
    an_argument_that_the_one_before_determines a_struct_by_its_associated_type private_items_of_one_name
    a_length_that_only_the_argument_tells sums a_macro_by_another_name
    a_private_module_beside_a_public_import_of_its_name a_block_of_a_macro_as_a_statement
    an_error_of_room_by_its_public_name
}

suite! { BORROWED borrowed "library/borrowed.rs":
    cows escapes tried
}

suite! { RARER rarer "library/rarer.rs":
    finds_in_text parts_of_slices entries_and_lists rarer_numbers inclusive_slices slices_behind_inclusively
    slices_to_the_largest slices_from_behind_inclusively
    shifts_by_every_integer shifts_too_far shifts_by_less_than_nothing atomics_from_constants the_version_of_unicode
    threads_have_numbers texts_of_c
}

suite! { FEW few "library/few.rs":
    capped capped_texts few spilled buckets pushes_beyond_the_capacity removes_beyond_the_length collects_beyond_the_capacity
    disjoint_buckets values_as_bytes names_of_types
}

suite! { PARALLEL parallel "library/parallel.rs":
    parallel_elements parallel_results parallel_changes
}

suite! { ANY_ERRORS any_errors "library/any_errors.rs":
    errors_as_texts errors_by_type contexts
}

suite! { ONCE once "library/once.rs":
    written_once computed_on_first_use one_initialises_the_other bytes_found sequences_found
}

suite! { ASKED asked "library/asked.rs":
    a_loop_over_a_zip_asks_no_side_of_slices_for_more_than_both_have
    what_folds_a_zip_asks_no_side_of_known_length_for_more_than_both_have
    a_zip_from_behind_drops_what_has_no_partner_once
    size_hints_tell_what_is_known
    iterators_of_different_known_lengths_differ_unasked
}

suite! { BROKEN_TEXT broken_text "library/broken_text.rs":
    what_is_wrong_with_bytes_is_told_by_place_and_length
    escapes_are_rustcs
    ascii_white_space_is_ascii
    durations_are_shown_to_the_precision_asked_for
    durations_of_floats_are_rounded_once
    time_goes_on
}

suite! { SORTING sorting "library/sorting.rs":
    stable_sorts_compare_what_rustcs_compare unstable_sorts_compare_what_rustcs_compare
    selections_compare_what_rustcs_compare zeros_and_nans_end_where_rustcs_do sorts_by_keys_ask_whether_less
    panics_where_it_contradicts_itself
}

suite! { CAPACITY capacity "library/capacity.rs":
    a_vector_has_the_room_it_was_made_with
    vectors_of_vectors_and_texts_have_room
    a_ring_in_a_vector_is_as_long_as_its_room
    a_ring_in_a_queue_is_as_long_as_its_room
    reserved_room_is_there
    room_stays_when_elements_go
    more_room_than_there_can_be_is_refused
    more_room_than_there_can_be_is_not_reserved
    no_queue_has_more_room_than_there_can_be
    what_takes_no_room_has_room_for_all
    maps_have_the_room_they_were_made_with
    memory_used_again_brings_no_room_along
    room_goes_where_the_vector_goes
}

suite! { INTEGERS integers "library/integers.rs":
    signed_with_unsigned unsigned_with_signed strict_arithmetic adds_strictly negates_strictly shifts_strictly
    adds_what_is_negative_strictly saturating_and_wrapping numbers_that_are_not_zero characters_as_numbers
}

suite! { PIECES pieces "library/pieces.rs":
    predicates_are_asked_as_far_as_pieces_are pieces_have_types pieces_from_both_ends patterns_of_other_types
    units_of_16_bits has_no_room_for_a_pair has_no_room_for_a_character text_that_is_owned_otherwise
    lengths_of_escapes_and_cases
    parts_are_changed_in_their_text parts_of_captured_texts splits_a_letter_for_writing
}

suite! { QUEUES queues "library/queues.rs":
    parts_of_queues queues_are_compared_and_searched splits_a_queue_behind looks_at_a_part_behind_a_queue
    what_is_extracted_is_asked_one_by_one what_is_extracted_from_hashed_collections extracts_behind
    ranges_of_maps ranges_of_one_key_that_is_excluded ranges_of_maps_backwards ranges_of_sets_backwards
    keys_values_and_entries_are_shown several_values_of_a_map one_value_of_a_map_twice
}

suite! { PARTS parts "library/parts.rs":
    parts_as_arrays rows_of_slices rows_of_nothing places_that_do_not_meet parts_that_can_be_written
    parts_are_asked_for_one_by_one
}

suite! { DROPPED dropped "library/dropped.rs":
    the_last_copy_is_the_value_itself elements_are_cloned_into_their_places
    queues_drop_what_they_do_not_retain_last what_is_not_extracted_stays items_that_are_kept_for_later
    cells_of_what_is_dropped shared_rows_are_copied_when_written
}

suite! { SHOWN shown "library/shown.rs":
    iterators_that_know_their_end tuples_collect iterators_are_shown what_has_more_than_is_shown
    a_key_without_a_value signs_and_raw_names control_flow_is_asked addresses
}

suite! { STACKS stacks "library/stacks.rs":
    temporary_arrays sizes_of_stacks arrays_that_are_written_first conditions_that_hold
}

suite! { ASSERTED asserted "library/stacks.rs": differs differs_in_two_of_three is_neither is_false }

const STACK: usize = 256 << 20;

/// What a function gives, or the message it fails with.
type Outcome = Result<String, String>;

fn interpreted(loaded: &Loaded, name: &str) -> Outcome {
    let function = loaded.function(name).map_err(|error| error.to_string())?;
    match Interpreter::new(loaded.module()).run(function.symbol, Vec::new()) {
        Ok(value) => Ok(value.as_str().expect("the function returns a text").to_owned()),
        Err(failure) => Err(failure.report().message.clone()),
    }
}

fn compiled(case: fn() -> String) -> Outcome {
    catch_unwind(case).map_err(|panic| match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => panic.downcast_ref::<&str>().map_or_else(String::new, |text| (*text).to_owned()),
    })
}

fn compare(suite: &'static Suite) {
    let work = move || {
        let loaded = Loaded::from_source(suite.file, suite.source).expect("the module loads");
        let differs = |&(name, case): &Case| {
            let (ours, theirs) = (interpreted(&loaded, name), compiled(case));
            (ours != theirs).then(|| format!("{name}:\n  ours   {ours:?}\n  rustc's {theirs:?}"))
        };
        let faults: Vec<String> = suite.cases.iter().filter_map(differs).collect();
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    };
    thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread").join().expect("no differences");
}

#[test]
fn iterators_give_what_rustcs_give() {
    compare(&ITERATORS);
    compare(&SHOWN);
}

#[test]
fn slices_and_collections_hold_what_rustcs_hold() {
    compare(&SLICES);
    compare(&QUEUES);
    compare(&PARTS);
}

#[test]
fn numbers_are_rustcs_to_the_bit() {
    compare(&NUMBERS);
    compare(&INTEGERS);
}

#[test]
fn text_and_formatting_are_rustcs_to_the_letter() {
    compare(&TEXT);
    compare(&PIECES);
}

#[test]
fn failures_say_what_rustcs_say() {
    compare(&FAILURES);
}

#[test]
fn programs_that_use_it_give_what_rustcs_give() {
    compare(&PROGRAMS);
    compare(&ALGORITHMS);
    compare(&CORNERS);
    compare(&STREAMS);
    compare(&PATHS);
}

#[test]
fn arrays_on_stacks_are_those_of_the_crate() {
    compare(&STACKS);
}

#[test]
fn assertions_say_what_was_compared() {
    let loaded = Loaded::from_source(ASSERTED.file, ASSERTED.source).expect("the module loads");
    let without_place = |outcome: Outcome| {
        let message = outcome.expect_err("it fails");
        message.split_once('\n').map_or(message.clone(), |(_, rest)| rest.to_owned())
    };
    for (name, case) in ASSERTED.cases {
        let (ours, theirs) = (interpreted(&loaded, name), compiled(*case));
        assert_eq!(without_place(ours), without_place(theirs), "{name}");
    }
}

#[test]
fn a_name_for_several_traits_is_all_of_them() {
    let text = "use trait_set::trait_set;
    trait_set! {
        /// It has a description.
        pub trait Scalar = Copy + std::ops::Mul<Output = Self>;
        trait Number<T> = Into<T>;
    }
    fn square<T: Scalar>(x: T) -> T { x * x }
    fn number<T: Number<f64>>(x: T) -> f64 { x.into() }
    pub fn f() -> String { format!(\"{} {}\", square(1.5), number(2.5_f32)) }";
    let loaded = Loaded::from_source("f.rs", text).expect("the module loads");
    assert_eq!(interpreted(&loaded, "f"), Ok("2.25 2.5".to_owned()));
}

#[test]
fn floats_are_written_in_hexadecimal() {
    let text = "use hexf::{hexf32, hexf64};
    const SMALL: f64 = hexf64!(\"0x0.0_0000_0000_0001p-1022\");
    pub fn f() -> String {
        let all = [hexf64!(\"-0x1.8p3\"), hexf64!(\"+0x1.921fb54442d18p+1\"), hexf64!(\"0xf.p0\"), hexf64!(\"-0x0p0\")];
        format!(\"{all:?} {SMALL:e} {} {}\", hexf32!(\"0x1.99999ap-4\"), hexf64!(\"0x1.00000000000000000p-2\"))
    }";
    let loaded = Loaded::from_source("f.rs", text).expect("the module loads");
    let expected = "[-12.0, 3.141592653589793, 15.0, -0.0] 5e-324 0.1 0.25";
    assert_eq!(interpreted(&loaded, "f"), Ok(expected.to_owned()));
}

#[test]
fn memory_of_words_is_written_as_bytes_and_may_begin_as_zeros() {
    let text = "pub fn f() -> String {
        let mut words = [1_u64, u64::MAX];
        let bytes = words.as_mut_ptr() as *mut u8;
        unsafe {
            *bytes.add(1) = 2;
            *bytes.add(15) = 0;
            let zeros = std::alloc::alloc_zeroed(std::alloc::Layout::array::<u32>(2).unwrap()) as *mut u32;
            *zeros.add(1) += 7;
            format!(\"{words:?} {} {}\", *zeros, *zeros.add(1))
        }
    }";
    let loaded = Loaded::from_source("f.rs", text).expect("the module loads");
    assert_eq!(interpreted(&loaded, "f"), Ok("[513, 72057594037927935] 0 7".to_owned()));
}

#[test]
fn what_strangers_write_is_read_as_rustc_reads_it() {
    compare(&STRANGERS);
    compare(&CRATES);
}

#[test]
fn closures_are_called_as_often_as_rustc_calls_them() {
    compare(&ASKED);
}

#[test]
fn broken_text_and_time_are_told_as_rustc_tells_them() {
    compare(&BROKEN_TEXT);
}

#[test]
fn sorts_make_the_comparisons_that_rustcs_make() {
    compare(&SORTING);
}

#[test]
fn collections_have_the_room_that_rustc_promises() {
    compare(&CAPACITY);
}

#[test]
fn values_are_cloned_and_dropped_when_rustc_does_it() {
    compare(&DROPPED);
}

#[test]
fn a_method_fails_on_the_line_of_its_name() {
    let text = "pub fn f() -> i32 {\n    \"x\"\n        .parse::<i32>()\n        .unwrap()\n}";
    let loaded = Loaded::from_source("chain.rs", text).expect("the text loads");
    let function = loaded.function("f").expect("it is there");
    let failure = Interpreter::new(loaded.module()).run(function.symbol, Vec::new()).expect_err("no number");
    assert_eq!(loaded.user_span(failure.report()).line, 4);
}

#[test]
fn text_that_is_not_rust_is_shown_where_it_stops_to_be() {
    let faults = [
        ("pub fn f() -> i32 {\n    (1 + 2 }", 2, "`}` closes nothing that is open"),
        ("pub fn f() -> i32 {\n    \"abc }", 2, "`\"abc }` is no token of Rust"),
        ("pub fn f() -> i32 {\n    0b12\n}", 2, "`0b12` is no token of Rust"),
    ];
    for (text, line, why) in faults {
        let loaded = Loaded::from_source("broken.rs", text).expect("a text loads as far as it goes");
        let error = loaded.program().lookup("f").map(|def| loaded.program().body(def));
        let error = error.expect("it is there").expect_err("it is broken");
        assert_eq!((error.span.line, error.to_string().as_str()), (line, why));
    }
}

#[test]
fn every_function_of_the_suites_is_compared() {
    let all = [
        &ITERATORS,
        &SLICES,
        &NUMBERS,
        &TEXT,
        &FAILURES,
        &PROGRAMS,
        &ALGORITHMS,
        &CORNERS,
        &STREAMS,
        &PATHS,
        &STRANGERS,
        &BORROWED,
        &RARER,
        &FEW,
        &ASKED,
        &BROKEN_TEXT,
        &SORTING,
        &CAPACITY,
        &INTEGERS,
        &PIECES,
        &QUEUES,
        &PARTS,
        &DROPPED,
        &SHOWN,
    ];
    for suite in all {
        let written = suite.source.lines().filter(|line| line.starts_with("pub fn ")).count();
        assert_eq!(written, suite.cases.len(), "{}", suite.file);
    }
}

#[test]
fn what_is_asked_now_and_then_gives_what_rustcs_gives() {
    compare(&RARER);
}

#[test]
fn vectors_of_few_elements_do_what_their_crates_do() {
    compare(&FEW);
}

#[test]
fn cells_and_searches_do_what_their_crates_do() {
    compare(&ONCE);
    compare(&PARALLEL);
    compare(&ANY_ERRORS);
}
