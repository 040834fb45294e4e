//! Places that change through pointers and references: sound code gives what rustc's code gives, with every executor and with
//! derivatives; undefined behaviour is a failure with its line.

use std::fmt::Write;

use overdub::lower::Loaded;
use overdub_context::engine::{Engine, Executor, Interpreting};
use overdub_context::ir::Ty;
use overdub_context::limits::{Limit, Limits};
use overdub_context::value::Value;
use overdub_native::Native;
use overdub_passes::{Optimised, Pipeline, Scope, callees};
use proptest::prelude::*;

#[allow(unsafe_code, dead_code, unused, unreachable_pub, missing_docs, clippy::all)]
#[path = "pointers/places.rs"]
mod places;

#[allow(unsafe_code, dead_code, unused, unreachable_pub, missing_docs, clippy::all)]
#[path = "pointers/owners.rs"]
mod owners;

#[allow(unsafe_code, dead_code, unused, unreachable_pub, missing_docs, clippy::all)]
#[path = "pointers/allocated.rs"]
mod allocated;

#[allow(unsafe_code, dead_code, unused, unreachable_pub, missing_docs, clippy::all)]
#[path = "pointers/casts.rs"]
mod casts;

#[allow(unsafe_code, dead_code, unused, unreachable_pub, missing_docs, clippy::all)]
#[path = "pointers/parts.rs"]
mod parts;

#[allow(unsafe_code, dead_code, unused, unreachable_pub, missing_docs, clippy::all)]
#[allow(dangling_pointers_from_temporaries)]
#[path = "pointers/allowed.rs"]
mod allowed;

#[allow(unsafe_code, dead_code, unused, unreachable_pub, missing_docs, clippy::all)]
#[path = "pointers/regrouped.rs"]
mod regrouped;

#[allow(dead_code, unused, unreachable_pub, missing_docs, clippy::all)]
#[path = "pointers/exchanged.rs"]
mod exchanged;

#[allow(unsafe_code, dead_code, unused, unreachable_pub, missing_docs, clippy::all)]
#[path = "pointers/bits.rs"]
mod bits;

#[allow(unsafe_code, dead_code, unused, unreachable_pub, missing_docs, clippy::all)]
#[path = "pointers/unions.rs"]
mod unions;

#[allow(unsafe_code, dead_code, unused, unreachable_pub, missing_docs, clippy::all)]
#[path = "pointers/products.rs"]
mod products;

type Program = (&'static str, fn(f64) -> f64);

macro_rules! programs {
    ($module:ident: $($name:ident)*) => { &[$((stringify!($name), $module::$name)),*] };
}

const PLACES: &[Program] = programs![places:
    through_a_variable written_after_the_pointer_is_made sum_by_offsets begin_and_end backwards swapped_and_replaced
    copied_over_itself flat_rows an_array_as_a_struct structs_as_numbers a_slice_as_one_of_wrappers
    uninitialised_array written_through_as_mut_ptr fields_one_by_one list_of_boxes tree_of_null_pointers
    raw_parts_of_a_vector unsafe_cell two_parts_of_one_slice a_reference_as_a_slice pointers_that_are_compared
    places_that_are_compared sizes types_with_drop_glue zeroed a_sort_by_pointers a_pointer_in_a_closure references_from_pointers
    a_pointer_in_the_struct_that_it_points_into pushed_within_the_capacity moved_in_each_round
    a_copy_is_another_vector
];

const OWNERS: &[Program] = programs![owners:
    a_union_of_integers a_union_that_is_filled_later one_place_as_an_array_of_one bytes_as_text memory_freed_by_drop
    a_place_written_by_drop lengths_set_by_hand reborrowed_for_calls list_of_leaked_boxes a_pointer_to_an_object
    elements_without_size forgotten_vectors a_forgotten_box
    variables_that_are_set_after_they_were_forgotten a_vector_in_a_forgotten_struct
];

const ALLOCATED: &[Program] = programs![allocated:
    written_behind_the_length spare_capacity_by_index spare_capacity_by_loop length_set_by_a_guard
    elements_taken_out_behind_the_length copied_behind_the_length a_vector_of_allocated_memory allocated_nodes
    allocated_bytes leaked_and_changed a_slice_of_cells cells_that_leave_a_function functions_of_c
    allocated_memory_as_a_box_and_a_vector a_length_set_before_the_elements elements_read_before_all_are_written
    a_length_set_before_elements_written_by_others an_element_written_over_a_gap
];

const REGROUPED: &[Program] = programs![regrouped:
    rows_of_bytes rows_of_floats wrapped_slices functions_behind_pointers fields_one_by_one numbers_in_groups
    integers_of_bytes
];

const CASTS: &[Program] = programs![casts:
    numbers_as_complex_numbers numbers_as_rows pointers_to_rows_move_by_rows a_matrix_of_vectors_as_its_columns
    words_as_bytes bytes_written_into_words words_read_from_bytes an_array_of_words_as_one_of_bytes
    numbers_as_variants unchecked_parts allocated_zeros
    allocated_words_freed_as_bytes integers_as_pointers_to_nothing a_value_that_is_dropped_in_another_type
    variants_by_bits copied_as_another_type transmuted_references boxes_in_another_type a_pointer_to_an_element_of_a_shared_slice
    slices_taken_out_of_their_variables slices_as_pointers_to_their_first
    a_wrapper_of_a_struct_with_a_marker text_as_its_bytes
];

const BITS: &[Program] = programs![bits:
    the_absolute_value_by_bits a_float_read_as_bits_and_back bits_written_into_a_float a_constant_written_as_bits
    an_exponent_in_a_field a_table_of_bits_in_a_constant a_slice_written_from_the_front a_slice_written_by_an_iterator
    memory_that_a_function_writes_first elements_up_to_an_alignment two_elements_behind_a_marker
    a_float_as_a_signed_integer an_unsafe_block_of_impls a_cell_that_was_borrowed_by_a_pointer
];

const PRODUCTS: &[Program] = programs![products:
    products_of_doubles products_written_over_nothing products_of_complex_numbers products_of_singles
];

const UNIONS: &[Program] = programs![unions:
    the_sign_bit_cleared a_float_made_of_bytes bits_behind_a_shared_reference bits_by_a_pattern bits_in_constants
    bits_behind_a_pointer bits_in_a_box a_field_lent_to_a_function unions_exchanged low_bits_cleared_in_a_loop
    smaller_fields_written_into_a_larger_one a_smaller_field_behind_a_reference a_struct_as_an_array
    a_union_written_in_parts a_struct_written_by_two_functions structs_written_in_parts_in_an_array
    a_union_filled_in_parts free_slots_in_the_place_of_values a_float_written_over_smaller_fields
];

/// A program that clears half of the bits of a float, which changes it by less than a millionth: differences are too coarse for it.
const LOW_WORD: &[Program] = programs![unions: the_low_word_replaced];

/// Programs that compute with bits of a float, by which its derivative is lost.
const UNION_BITS: &[Program] = programs![unions:
    the_exponent_and_the_value unions_in_a_vector bytes_of_a_union_in_a_struct
    bits_that_a_closure_changes the_fast_inverse_square_root words_in_a_struct a_vector_of_singles
    a_byte_written_into_a_single smaller_fields_over_one_another
];

const PARTS: &[Program] = programs![parts:
    an_array_written_by_elements bytes_written_at_once pointers_that_are_shown_if_they_are_wrong the_last_byte_of_a_buffer a_field_of_a_union_that_holds_another some_as_what_it_holds
    how_far_pointers_are_apart how_far_a_part_of_a_text_is_from_its_start a_slice_of_a_vector_that_a_closure_changes
    how_far_an_empty_rest_is_from_the_start bytes_from_one_multiple_of_an_alignment_to_another
];

const ALLOWED: &[Program] = programs![allowed:
    a_box_freed_by_its_layout memory_that_grows_twice memory_that_outlives_its_variable a_variable_of_each_round
    variables_at_an_early_return a_variable_that_a_block_returns a_temporary_of_a_statement
    integers_that_are_not_aligned copies_that_may_overlap values_that_are_not_checked a_struct_with_all_its_fields
    sums_by_pointers_and_indices an_address_computed_from_null
];

const EXCHANGED: &[Program] = programs![exchanged:
    fields_exchanged fields_exchanged_in_turns options_replaced elements_of_arrays_exchanged vectors_edited
    payloads_replaced rows_replaced options_taken_out_of_vectors pairs_replaced_while_popped popped_after_an_exchange
    a_heap_that_is_emptied heap_operations ties_in_a_heap heap_shown
];

/// The programs, with the texts of their modules.
const SOURCES: [(&str, &[Program]); 11] = [
    (include_str!("pointers/places.rs"), PLACES),
    (include_str!("pointers/owners.rs"), OWNERS),
    (include_str!("pointers/allocated.rs"), ALLOCATED),
    (include_str!("pointers/casts.rs"), CASTS),
    (include_str!("pointers/bits.rs"), BITS),
    (include_str!("pointers/regrouped.rs"), REGROUPED),
    (include_str!("pointers/parts.rs"), PARTS),
    (include_str!("pointers/allowed.rs"), ALLOWED),
    (include_str!("pointers/exchanged.rs"), EXCHANGED),
    (include_str!("pointers/unions.rs"), UNIONS),
    (include_str!("pointers/products.rs"), PRODUCTS),
];

fn executors() -> Vec<(&'static str, Box<dyn Executor>)> {
    vec![
        ("interpreter", Box::new(Interpreting::new())),
        ("optimised", Box::new(Optimised::new(Interpreting::new()))),
        ("machine code", Box::new(Native::new())),
        ("machine code as written", Box::new(Native::new().without_optimising())),
    ]
}

fn run(loaded: &Loaded, executor: &dyn Executor, name: &str, x: f64) -> Result<f64, String> {
    let function = loaded.function(name).map_err(|error| error.to_string())?;
    let found = executor.run(&loaded.shared_module(), function.symbol, vec![Value::F64(x)]);
    match found {
        Ok(value) => value.as_f64().ok_or_else(|| format!("{value:?}")),
        Err(failure) => {
            let report = failure.report();
            Err(format!("{} at {}", report.message, loaded.user_span(report)))
        }
    }
}

#[test]
fn sound_unsafe_code_gives_what_rustc_makes_of_it() {
    for (text, programs) in SOURCES {
        compare_values(text, programs);
    }
}

fn compare_values(text: &str, programs: &[Program]) {
    let loaded = Loaded::from_source("programs.rs", text).expect("rustc compiles it");
    let mut faults = String::new();
    for (name, compiled) in programs {
        for x in [1.5, -0.75, 3.25] {
            for (by, executor) in executors() {
                let (got, want) = (run(&loaded, &*executor, name, x), compiled(x));
                if got.as_ref().map(|got| got.to_bits()) != Ok(want.to_bits()) {
                    writeln!(faults, "{name}({x}) by the {by}: {got:?}, rustc says {want}")
                        .expect("a string takes it");
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

#[test]
fn bits_of_floats_in_unions_have_a_derivative_or_refuse_it() {
    let text = include_str!("pointers/unions.rs");
    compare_values(text, UNION_BITS);
    compare_values(text, LOW_WORD);
    let loaded = Loaded::from_source("programs.rs", text).expect("rustc compiles it");
    let engine: Engine = loaded.engine();
    let low_word = loaded.function("the_low_word_replaced").expect("it is lowered").symbol;
    let gradient = overdub_ad::gradient(&engine, low_word, vec![Value::F64(1.5)], Ty::f64());
    assert_eq!(gradient.expect("the high word is that of the float").1[0].as_f64(), Some(1.0));
    for (name, _) in UNION_BITS {
        let function = loaded.function(name).expect("it is lowered").symbol;
        let refused = overdub_ad::gradient(&engine, function, vec![Value::F64(1.5)], Ty::f64());
        let message = refused.map(drop).expect_err(name).report().message.clone();
        assert!(message.contains("a derivative is lost"), "{name}: {message}");
    }
}

#[test]
fn derivatives_pass_through_pointers() {
    for (text, programs) in SOURCES {
        compare_derivatives(text, programs);
    }
}

fn compare_derivatives(text: &str, programs: &[Program]) {
    let loaded = Loaded::from_source("programs.rs", text).expect("rustc compiles it");
    let engine: Engine = loaded.engine();
    let mut faults = String::new();
    for (name, compiled) in programs {
        for x in [1.5, -0.75] {
            let h = 1e-5;
            let want = (compiled(x + h) - compiled(x - h)) / (2.0 * h);
            let function = loaded.function(name).expect("it is lowered");
            let reverse = overdub_ad::gradient(&engine, function.symbol, vec![Value::F64(x)], Ty::f64())
                .map(|(_, dx)| dx[0].as_f64().unwrap_or(f64::NAN));
            let fits = |got: &f64| (got - want).abs() <= 1e-5 * want.abs().max(1.0);
            if !reverse.as_ref().is_ok_and(fits) {
                writeln!(faults, "{name} at {x}: {reverse:?}, differences say {want}")
                    .expect("a string takes it");
            }
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

/// Programs with undefined behaviour, one a line.
const UNDEFINED: [&str; 5] = [
    include_str!("pointers/undefined.rs.txt"),
    include_str!("pointers/undefined_access.rs.txt"),
    include_str!("pointers/undefined_lifetimes.rs.txt"),
    include_str!("pointers/undefined_memory.rs.txt"),
    include_str!("pointers/undefined_values.rs.txt"),
];

#[test]
fn undefined_behaviour_is_a_failure_with_its_line() {
    let (mut faults, mut count) = (String::new(), 0);
    for text in UNDEFINED {
        count += run_undefined(text, &mut faults);
    }
    assert!(faults.is_empty(), "{faults}");
    assert!(count >= 150, "{count}");
}

#[test]
fn a_value_with_a_part_missing_has_no_derivative() {
    let text = include_str!("pointers/undefined_values.rs.txt");
    let loaded = Loaded::from_source("undefined.rs", text).expect("rustc compiles it");
    let function = loaded.function("a_struct_with_a_field_missing").expect("it is lowered");
    let gradient = overdub_ad::gradient(&loaded.engine(), function.symbol, vec![Value::F64(1.5)], Ty::f64());
    let error = format!("{:?}", gradient.expect_err("a field was not initialised"));
    assert!(error.contains("not initialised"), "{error}");
}

/// Notes which programs do not fail as they say; returns their number.
fn run_undefined(text: &str, faults: &mut String) -> usize {
    let loaded = Loaded::from_source("undefined.rs", text).expect("rustc compiles it");
    let mut count = 0;
    for (line, code) in (1..).zip(text.lines()) {
        let Some(name) = code.strip_prefix("pub fn ").and_then(|rest| rest.split('(').next()) else {
            continue;
        };
        let said = code.split("//~ ").nth(1).expect("each function says how it fails");
        count += 1;
        for (by, executor) in executors() {
            let got = run(&loaded, &*executor, name, 1.5);
            let fits = got
                .as_ref()
                .is_err_and(|got| got.contains(said) && got.contains(&format!("undefined.rs:{line}:")));
            if !fits {
                writeln!(faults, "{name} by the {by}: {got:?}, not `{said}` at line {line}")
                    .expect("a string takes it");
            }
        }
    }
    count
}

#[test]
fn a_loop_over_pointers_within_an_array_is_one_over_a_slice() {
    let text = "pub fn sum(xs: &[f64]) -> f64 {
        let p = xs.as_ptr();
        let mut sum = 0.0;
        for i in 0..xs.len() { sum += unsafe { *p.add(i) }; }
        sum
    }
    pub fn scale(xs: &mut [f64], a: f64) {
        let p = xs.as_mut_ptr();
        for i in 0..xs.len() { unsafe { *p.add(i) *= a }; }
    }";
    let loaded = Loaded::from_source("loops.rs", text).expect("rustc compiles it");
    for name in ["sum", "scale"] {
        let symbol = loaded.function(name).expect("it is supported").symbol;
        let module = loaded.shared_module();
        let func = module.func(symbol).expect("it was lowered").expect("there is one");
        let optimised = Pipeline::optimising().run(&func, &Scope::new(&callees(&module)));
        let printed = optimised.to_string();
        assert!(!printed.contains("ref."), "{printed}");
        assert!(printed.contains("get.unchecked"), "{printed}");
    }
}

#[test]
fn memory_behind_elements_counts_for_the_limit() {
    let text = "pub fn fill(n: usize) -> f64 {
        let mut v: Vec<f64> = Vec::with_capacity(n);
        let p = v.as_mut_ptr();
        for i in 0..n { unsafe { p.add(i).write(i as f64) } }
        unsafe { v.set_len(n) };
        v[n - 1]
    }";
    let loaded = Loaded::from_source("fill.rs", text).expect("rustc compiles it");
    let fill = loaded.function("fill").expect("it is supported").symbol;
    let builder = || Engine::builder(loaded.shared_module());
    let engines = [
        ("interpreter", builder().executor(Interpreting::new()).build()),
        ("optimised", builder().executor(Optimised::new(Interpreting::new())).build()),
        ("machine code", builder().executor(Native::new()).build()),
    ];
    for (by, engine) in engines {
        let engine = engine.with_limits(Limits::default().with_memory(8 << 20));
        assert_eq!(
            engine.run(fill, vec![Value::from(1000_usize)]).map(|x| x.as_f64()),
            Ok(Some(999.0)),
            "{by}"
        );
        let failure = engine.run(fill, vec![Value::from(1_000_000_usize)]).expect_err(by);
        assert!(matches!(failure.limit(), Some(Limit::Memory(_))), "{by}: {failure}");
    }
}

/// A step of a random program with a pointer `p` into an array of six floats, and a second pointer `q`.
#[derive(Clone, Debug)]
enum Act {
    Move(isize),
    Exchange,
    Write(f64),
    Add,
    Swap,
    Copy(usize),
    Slice(usize),
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        3 => (-3_isize..4).prop_map(Act::Move),
        1 => Just(Act::Exchange),
        2 => (-4_i8..5).prop_map(|x| Act::Write(f64::from(x) * 0.5)),
        2 => Just(Act::Add),
        1 => Just(Act::Swap),
        1 => (0_usize..4).prop_map(Act::Copy),
        1 => (0_usize..4).prop_map(Act::Slice),
    ]
}

/// The text of the program, and its result for an array and two numbers: `None` if it leaves the array.
fn model(acts: &[Act], x: f64) -> (String, Option<f64>) {
    let mut text = String::from(
        "pub fn f(x: f64) -> f64 {\n    let mut a = [x, 1.0, 2.0, 3.0, 4.0, 5.0];\n    let mut p = a.as_mut_ptr();\n    \
         let mut q = p;\n    unsafe {\n",
    );
    let mut a = [x, 1.0, 2.0, 3.0, 4.0, 5.0];
    let (mut p, mut q, mut ends) = (0_isize, 0_isize, true);
    for act in acts {
        let is_in = |at: isize| (0..6).contains(&at);
        let line = match act {
            Act::Move(by) => {
                p += by;
                format!("p = p.wrapping_offset({by});")
            }
            Act::Exchange => {
                std::mem::swap(&mut p, &mut q);
                "std::mem::swap(&mut p, &mut q);".to_owned()
            }
            Act::Write(y) => {
                ends &= is_in(p);
                if ends {
                    a[p as usize] = *y;
                }
                format!("*p = {y:?};")
            }
            Act::Add => {
                ends &= is_in(p) && is_in(q);
                if ends {
                    a[p as usize] += x * a[q as usize];
                }
                "*p += x * *q;".to_owned()
            }
            Act::Swap => {
                ends &= is_in(p) && is_in(q);
                if ends {
                    a.swap(p as usize, q as usize);
                }
                "std::ptr::swap(p, q);".to_owned()
            }
            Act::Copy(len) => {
                let last = *len as isize - 1;
                ends &= *len == 0 || is_in(p) && is_in(p + last) && is_in(q) && is_in(q + last);
                if ends && *len > 0 {
                    a.copy_within(q as usize..q as usize + len, p as usize);
                }
                format!("std::ptr::copy(q, p, {len});")
            }
            Act::Slice(len) => {
                let end = p + *len as isize;
                // A slice of nothing may begin anywhere.
                ends &= *len == 0 || (0..=6).contains(&p) && (0..=6).contains(&end);
                if ends && *len > 0 {
                    a[p as usize..end as usize].iter_mut().for_each(|y| *y *= 2.0);
                }
                format!("for y in std::slice::from_raw_parts_mut(p, {len}) {{ *y *= 2.0; }}")
            }
        };
        writeln!(text, "        {line}").expect("a string takes it");
        if !ends {
            break;
        }
    }
    text.push_str("    }\n    a.iter().fold(0.0, |sum, y| sum * 3.0 + y)\n}\n");
    (text, ends.then(|| a.iter().fold(0.0, |sum, y| sum * 3.0 + y)))
}

proptest! {
    #![proptest_config(overdub_context::testing::cases(24))]

    #[test]
    fn random_pointer_programs_are_those_of_an_array_and_numbers(acts in prop::collection::vec(act(), 1..24)) {
        let (text, want) = model(&acts, 1.25);
        let loaded = Loaded::from_source("f.rs", &text).expect("rustc compiles it");
        for (by, executor) in executors() {
            let got = run(&loaded, &*executor, "f", 1.25);
            match want {
                Some(want) => prop_assert_eq!(got.map(f64::to_bits), Ok(want.to_bits()), "{} in\n{}", by, text),
                None => prop_assert!(got.is_err(), "{by}: {got:?} in\n{text}"),
            }
        }
    }
}
