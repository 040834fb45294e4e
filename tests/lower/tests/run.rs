//! What a function does when it is lowered and interpreted is what rustc makes it do.
//!
//! Each file of `run/` is a module of this test and a program for the loader; every function named here takes a float
//! and returns one, and both must give the same bits.

use std::fmt::Write;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use overdub_context::interp::{Interpreter, Limits, Output};
use overdub_context::value::Value;
use overdub_lower::Loaded;

const POINTS: [f64; 6] = [0.0, 1.0, -2.5, 0.3, 7.0, 1e3];

type Function = (&'static str, fn(f64) -> f64);

/// Runs every function at every point both ways, and fails with all differences.
fn compare(file: &str, functions: &[Function]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(file);
    compare_loaded(file, &Loaded::open(&path).expect("rustc compiles it"), functions);
}

fn compare_loaded(file: &str, loaded: &Loaded, functions: &[Function]) {
    let mut differences = String::new();
    for (name, compiled) in functions {
        for x in POINTS {
            let want = compiled(x);
            let got = interpret(loaded, name, x);
            if got.as_ref().map(|got| got.to_bits()) != Ok(want.to_bits()) {
                writeln!(differences, "{name}({x}): {got:?}, rustc says {want}").expect("a string takes it");
                break;
            }
        }
    }
    assert!(differences.is_empty(), "{file}:\n{differences}");
}

fn interpret(loaded: &Loaded, name: &str, x: f64) -> Result<f64, String> {
    let function = loaded.function(name).map_err(|error| error.to_string())?;
    let limits = Limits { steps: Some(3_000_000), ..Limits::default() };
    let mut interpreter = Interpreter::new(loaded.module()).with_limits(limits).with_output(Output::Discard);
    let value = interpreter.run(function.symbol, vec![Value::F64(x)]).map_err(|failure| {
        let report = failure.report();
        format!("{} at {} in {:?}", report.message, loaded.user_span(report), report.stack.first())
    })?;
    value.as_f64().ok_or_else(|| format!("{value:?}"))
}

macro_rules! suites {
    ($($file:ident $path:literal: $($function:ident)*;)*) => {$(
        #[allow(dead_code, unused, unreachable_pub, clippy::all, dropping_copy_types, irrefutable_let_patterns, missing_docs)]
        #[path = $path]
        mod $file;

        #[test]
        fn $file() {
            let functions: &[Function] = &[$((stringify!($function), $file::$function)),*];
            compare($path, functions);
        }
    )*};
}

suites! {
    places "run/places.rs": nested_fields nested_arrays swapped_fields two_phase index_then_value compound_order overloaded_order
        replaced taken mem_swapped split_halves iter_muts chunks
        matrix_index struct_update shadowed boxed_field tuple_parts ref_mut_pattern option_as_mut
        reborrowed conditional_ref reassigned_ref nested_mut_calls slice_of_slice swap_elements entry_like
        returned_ref struct_with_ref first_or_insert compared_references;
    linked "run/linked.rs": list_walk tree_insert list_reverse;
    closures "run/closures.rs": by_value by_ref by_mut_ref moved_state returned_counter boxed_closures composed fn_items fn_pointers
        recursion_through_fn captures_of_captures mutable_in_loop passed_by_mut sorted_by_capture once
        capture_self_field stored_in_struct early_return_inside array_of_closures boxed_in_arrays memo
        copies_have_their_own_state copies_in_iterators;
    captures "run/captures.rs": nested_path two_paths two_paths_unused order_by_first_name order_named_only
        drop_type_whole drop_type_copy base boxed boxed_move nested_closures nested_move array_elem assign_in
        assign_move for_part dyn_fn replaced cond_moved returned;
    captures_by_patterns "run/captures_by_patterns.rs": pattern_tuple pattern_struct pattern_struct_ref
        match_struct match_option iflet iflet_both iflet_move array_pat at_pat single_variant unused_match
        guard_pat let_else matches_mac;
    captures_of_fields "run/captures_of_fields.rs": disjoint_mut disjoint_mut_nested move_copy move_two methods
        by_ref_pat ref_field mut_ref_field mut_ref_move or_pat clone_closure while_let ret_part param_pat
        cell_field cell_move iter_adapters generic unused_index fmt_part opassign dyn_fn_mut swap_parts
        take_part shadow part_loop deferred rec_struct;
    objects "run/objects.rs": area_of_shapes mutable_objects super_methods default_methods generic_over_dyn boxed_dyn_in_struct
        dyn_by_mut_ref shared_objects dyn_fn_table object_returned methods_that_take_the_box required_any
        objects_in_last_fields;
    callable_objects "run/callable_objects.rs": called with_state cloned_and_passed_on converted required_from_far dropped
        associated_type_of_a_supertrait;
    repeated "run/repeated.rs": cells cells_of_a_constant many_cells atomics cells_in_constants one_cell
        reference_to_a_slice kept_reference_to_a_slice reference_to_a_mutable_one reference_to_a_constant
        method_on_a_borrowed_slice;
    borrowed_keys "run/borrowed_keys.rs": own_equality sets removed_and_changed derived_over_own shared_keys;
    own_indexes "run/own_indexes.rs": vectors_and_slices sums_and_texts byte_strings_in_patterns;
    patterns "run/patterns.rs": literals ranges guards bindings or_patterns or_bindings nested_enums tuples slices slice_rest refs boxes
        consts let_else if_let_chain while_let match_mut match_text chars irrefutable nested_or struct_patterns
        bool_pairs int_dispatch guards_of_alternatives guards_of_alternatives_that_move;
    control "run/control.rs": labelled_breaks loop_value early_returns question_option question_result nested_loops continue_outer
        block_value diverging_arm short_circuit while_conditions unit_values collatz never_in_operand
        labelled_block for_ranges for_step question_errors semicolons_alone;
    generics "run/generics.rs": horner_types dot_generic const_generic trait_consts assoc_types operator_impls iterator_impl
        phantom_units default_generic from_into display_text dispatch_by_trait newtype_deref
        index_overload neg_and_assign static_tables const_fns recursion_generic vec_of_generic clone_on_write bound_by_a_generic_associated_type;
    assoc_bounds "run/assoc_bounds.rs": indexed_by_two_ranges operators_of_references_that_a_trait_implies
        items_of_a_hidden_iterator_with_two_bounds blocks_that_are_constants;
    type_level "run/type_level.rs": powers;
    bounds_on_parameters "run/bounds_on_parameters.rs": two_parameters_bound_to_one_type operand_that_the_bound_says
        bounds_in_where_clauses_of_the_trait default_bodies_assume_the_bounds_of_the_trait items_of_an_alias_with_arguments
        compared_after_coercion borrowed_mutably methods_of_bounds_before_those_of_other_traits;
    where_clauses "run/where_clauses.rs": traits_out_of_scope argument_by_a_pending_bound receiver_by_a_pending_bound
        objects_by_types_of_supertraits;
    derived_errors "run/derived_errors.rs": texts causes;
    parameters "run/parameters.rs": associated_methods written_methods mixed_methods blanket_methods paths_methods
        iterated_methods called_methods referred_methods methods_of_items operators_of_copies generic_projections;
    expansions "run/expansions.rs": expanded unnamed_constants variables_of_the_build ordered_by_discriminants
        computed_discriminants left_out layouts_of_types_in_macros impls_in_blocks_of_macros
        parameters_left_out;
    constants "run/constants.rs": lengths_by_functions lengths_by_tables lengths_by_library lengths_by_sizes
        own_function_named_size_of discriminants_by_operators constants_of_types limits_by_constants_of_structs;
    layouts "run/layouts.rs": structs unions enums enums_in_niches fixed_tags options nested library_types
        uninhabited;
    sizes "run/sizes.rs": enums options results structs of_the_library of_values;
    parts_in_memory "run/parts_in_memory.rs": pinned_values parts_of_texts_that_change;
    cells "run/cells.rs": guards_are_given_back tried_while_held guards_in_conditions
        guard_lives_through_match mapped_guards guards_in_structs given_back_on_early_return
        replaced_and_taken equal_and_shown once memo_in_a_cell nested_cells statement_keeps_its_guard;
    shared "run/shared.rs": counts unwrapped mutated_when_alone same_place weak_after_the_last
        tree_with_parents owner_and_tools doubly_linked cyclic dropped_with_the_last shared_objects
        objects_in_cells closures_share counted_closures_in_boxes once_in_a_box atomically_counted in_maps
        in_options shared_slices iterated;
    drops_library "run/drops_library.rs": vectors into_iterators retained_and_drained queues maps
        sorted_and_chunked arrays_taken_apart replaced_and_swapped maps_of_options taken_from_places;
    identity "run/identity.rs": one_place_by_its_cells cloned_counter cloned_generator cloned_tuples own_equality
        equality_inside_derived own_order downcast_ref downcast_mut components type_ids locks;
    statics "run/statics.rs": atomics thread_locals locked_statics set_once tickets lazy_once;
    drops "run/drops.rs": given_a_value_on_one_path given_a_value_by_one_arm overwritten_after_one_path
        moved_out_after_one_path given_a_value_in_a_loop borrowed_by_a_closure_on_one_path boxed_on_one_path
        reverse_order moved_is_not_dropped conditionally_moved overwritten
        assigned_in_loop temporaries_of_statements extended_temporaries extended_in_branches extended_in_branches_of_loops temporaries_in_conditions
        temporaries_of_matches fields_in_order partial_moves refilled_field enums_and_options question_marks
        arguments_when_one_leaves breaks_and_continues parameters nested_blocks shadowed_lives_on
        moved_on_one_way let_else_and_loops chained_conditions;
    drops_owners "run/drops_owners.rs": objects raii_depth linked_list closures_own generic_values;
    ownership "run/ownership.rs": graph_walk observers scoped_log deref_with_effects rolled_back
        shared_tails chain_of_boxes sorted_chain search_tree nested_results;
    keeping "run/keeping.rs": pushed pushed_parts put_by_a_generic_function kept_by_a_method kept_in_a_map
        changed_side_by_side;
    lending "run/lending.rs": chosen_reference cursors optional_references split_and_merge disjoint_fields
        lent_iterators iterators_by_dyn writers bytes_written state_machine event_bus copied_on_write
        entries arena_indices persistent_documents priority_of_shared object_pool queue_of_tasks interned;
}

#[test]
fn a_static_mut_is_one_place_for_all_functions_and_new_in_each_run() {
    let text = "
        static mut LEVEL: f64 = 1.5;
        static mut TABLE: [f64; 3] = [1.0, 2.0, 3.0];
        fn raise(x: f64) { unsafe { LEVEL += x; TABLE[1] = LEVEL; } }
        pub fn level(x: f64) -> f64 { raise(x); raise(1.0); unsafe { LEVEL + TABLE[1] * 10.0 + TABLE[2] } }";
    let loaded = Loaded::from_source("level.rs", text).expect("it loads");
    for _ in 0..2 {
        assert_eq!(interpret(&loaded, "level", 2.0), Ok(4.5 + 45.0 + 3.0));
    }
}

#[test]
fn a_discriminant_that_fails_is_refused_where_it_is_read() {
    let text = "
        const NONE: isize = 0;
        enum E { P = 1 / NONE, Q }
        pub fn number(x: f64) -> f64 { E::Q as i32 as f64 * x }
        pub fn matched(x: f64) -> f64 { match E::P { E::P => x, E::Q => 0.0 } }";
    let loaded = Loaded::from_source("number.rs", text).expect("it loads");
    let refused = interpret(&loaded, "number", 1.5).expect_err("the number is not known");
    assert!(refused.contains("it fails, or is not computed from constants"), "{refused}");
    assert_eq!(interpret(&loaded, "matched", 1.5), Ok(1.5));
}

#[test]
fn layouts_that_rustc_refuses_are_no_crash() {
    let text = "
        #[repr(align(0))] struct Zero(u8);
        #[repr(packed(0))] struct Packed(u8, u32);
        #[repr(align(18446744073709551615))] struct Large(u8, u32);
        type Half = [u8; 9223372036854775807];
        enum Far { A = 170141183460469231731687303715884105727, B = -1 }
        pub fn f(x: f64) -> f64 {
            let sizes = [size_of::<Zero>(), size_of::<Packed>(), size_of::<Large>(), size_of::<Option<Far>>()];
            x * sizes.len() as f64
        }
        pub fn large(x: f64) -> f64 { size_of::<(Half, Half, Half)>() as f64 + x }";
    let loaded = Loaded::from_source("odd.rs", text).expect("it loads");
    assert_eq!(interpret(&loaded, "f", 1.5), Ok(6.0));
    let refused = interpret(&loaded, "large", 1.5).expect_err("there is no such memory");
    assert!(refused.contains("is not known"), "{refused}");
}

#[test]
fn a_type_whose_size_depends_on_itself_is_refused() {
    let text = "
        struct S { r: [u8; size_of::<S>()] }
        pub fn f(x: f64) -> f64 { size_of::<S>() as f64 + x }";
    let loaded = Loaded::from_source("own.rs", text).expect("it loads");
    let refused = interpret(&loaded, "f", 1.5).expect_err("rustc refuses it too");
    assert!(refused.contains("it depends on itself") || refused.contains("is not known"), "{refused}");
}

#[test]
fn what_is_moved_out_of_a_reference_is_refused_where_it_must_be_dropped() {
    let text = "
        struct D(f64);
        impl Drop for D { fn drop(&mut self) {} }
        fn steal(v: &Vec<D>) -> D { v[0] }
        pub fn f(x: f64) -> f64 { let v = vec![D(x)]; steal(&v).0 }";
    let loaded = Loaded::from_source("steal.rs", text).expect("it loads");
    let refused = interpret(&loaded, "f", 1.0).expect_err("rustc refuses it too");
    assert!(refused.contains("is moved out of a reference here at steal.rs:4"), "{refused}");
}

#[test]
fn raw_pointers_are_read_through_and_never_compared_by_what_they_point_to() {
    let text = "
        fn same(a: *const f64, b: *const f64) -> bool { a == b }
        pub fn read(x: f64) -> f64 { let p = &x as *const f64; unsafe { *p + 1.0 } }
        pub fn cast(x: f64) -> f64 { let y = x; if &x as *const f64 == &y as *const f64 { 1.0 } else { 0.0 } }
        pub fn passed(x: f64) -> f64 { if same(&x, &x.clone()) { 1.0 } else { 0.0 } }
        pub fn twice(x: &f64) -> f64 { if same(x, x) { 1.0 } else { 0.0 } }
        pub fn refused(x: f64) -> f64 { twice(&x) }
        pub fn held(x: f64) -> f64 {
            let (y, mut seen) = (x, Vec::<*const f64>::new());
            seen.push(&x);
            if seen.contains(&(&y as *const f64)) { 1.0 } else { 0.0 }
        }
        pub fn placed(x: f64) -> f64 { if std::ptr::eq(&x, &x.clone()) { 1.0 } else { 0.0 } }
        pub fn different(x: f64) -> f64 { let v = [x, x + 1.0]; if std::ptr::eq(&v[0], &v[1]) { 1.0 } else { 0.0 } }
        fn starts(a: &[f64], b: &[f64]) -> bool { a.as_ptr() == b.as_ptr() }
        pub fn clones(x: f64) -> f64 { let a = vec![x]; if starts(&a, &a.clone()) { 1.0 } else { 0.0 } }
        pub fn owners(x: f64) -> f64 {
            let a = std::rc::Rc::new(std::cell::RefCell::new(x));
            if std::ptr::eq(&a, &a.clone()) { 1.0 } else { 0.0 }
        }";
    let loaded = Loaded::from_source("pointers.rs", text).expect("it loads");
    assert_eq!(interpret(&loaded, "read", 2.0), Ok(3.0));
    for name in ["cast", "passed", "held"] {
        assert_eq!(interpret(&loaded, name, 1.0), Ok(0.0), "what they point to is equal, they are not");
    }
    let refused =
        interpret(&loaded, "refused", 1.0).expect_err("what a reference refers to has no place here");
    assert!(refused.contains("whether two raw pointers are equal is not known"), "{refused}");
    let refused = interpret(&loaded, "placed", 1.0).expect_err("copies have no places");
    assert!(
        refused.contains("whether two references are to one place is not known")
            && refused.contains("pointers.rs:13"),
        "{refused}"
    );
    assert_eq!(interpret(&loaded, "different", 1.0), Ok(0.0), "what differs is not in one place");
    let refused =
        interpret(&loaded, "clones", 1.0).expect_err("a clone shares the buffer until it is written");
    assert!(refused.contains("whether two raw pointers are equal is not known"), "{refused}");
    let refused = interpret(&loaded, "owners", 1.0).expect_err("the pointers are in two places");
    assert!(refused.contains("whether two references are to one"), "{refused}");
}

#[test]
fn values_behind_pointers_to_other_types_are_read_as_rustc_lays_them_out() {
    let text = include_str!("run/behind_pointers.rs");
    let loaded = Loaded::from_source("behind_pointers.rs", text).expect("it loads");
    for (x, elements, copied) in [(1.5, 30.0, 2.0), (-2.5, -26.0, 4.0), (700.0, 9809.0, 888.0)] {
        assert_eq!(interpret(&loaded, "elements_behind_the_first_struct", x), Ok(elements));
        assert_eq!(interpret(&loaded, "copied_beside_phantoms", x), Ok(copied));
    }
}

#[allow(dead_code, unused, unreachable_pub, clippy::all)]
#[path = "run/editions.rs"]
mod editions;

/// A package of an edition, of one file.
fn package(edition: u32, text: &str) -> Loaded {
    // Tests run side by side in one process, and more than one has packages of the same edition.
    static PACKAGES: AtomicUsize = AtomicUsize::new(0);
    let number = PACKAGES.fetch_add(1, Ordering::Relaxed);
    let name = format!("overdub-edition-{edition}-{}-{number}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(folder.join("src")).expect("a folder");
    let manifest = format!("[package]\nname = \"dated\"\nversion = \"0.1.0\"\nedition = \"{edition}\"\n");
    std::fs::write(folder.join("Cargo.toml"), manifest).expect("a file");
    std::fs::write(folder.join("src/lib.rs"), text).expect("a file");
    let loaded = Loaded::open(&folder).expect("it loads");
    std::fs::remove_dir_all(&folder).expect("it is there");
    loaded
}

#[test]
fn the_first_edition_has_try_as_a_macro_and_traits_without_dyn() {
    let text = "
        fn half(text: &str) -> Result<f64, std::num::ParseFloatError> { Ok(try!(text.parse::<f64>()) / 2.0) }
        fn apply(f: &Fn(f64) -> f64, x: f64) -> f64 { f(x) }
        pub fn f(x: f64) -> f64 { apply(&|y| y + half(\"3\").unwrap(), x) + half(\"x\").is_err() as u8 as f64 }";
    assert_eq!(interpret(&package(2015, text), "f", 1.0), Ok(3.5));
}

#[test]
fn the_first_edition_has_parameters_without_names() {
    let text = "
        macro_rules! made { ($($name:ident: $ty:ty),*) => { fn made($($name: $ty),*) -> f64 { 0.5 $(+ $name)* } } }
        made!(a: f64, b: f64);
        trait Scale { fn by<F: Fn(f64, f64) -> f64>(&self, F, Vec<Vec<(f64, i32)>>, x: f64) -> f64; fn of(f64) -> Self; }
        struct Twice(f64);
        impl Scale for Twice {
            fn by<F: Fn(f64, f64) -> f64>(&self, f: F, pairs: Vec<Vec<(f64, i32)>>, x: f64) -> f64 {
                f(self.0 * x, pairs[0][0].0)
            }
            fn of(x: f64) -> Self { Twice(x) }
        }
        pub fn f(x: f64) -> f64 { Twice::of(2.0).by(|a, b| a + b, vec![vec![(3.0, 1)]], x) + made(x, 1.0) }";
    assert_eq!(interpret(&package(2015, text), "f", 1.5), Ok(9.0));
}

#[test]
fn parameters_without_names_are_only_those_of_traits() {
    let text = "
        macro_rules! add {
            ($of:ty { fn $name:ident($a:ident, $b:ident) -> $ret:ty { $body:expr } }) => {
                impl std::ops::Add for $of { type Output = $ret; fn $name(self, $b: $of) -> $ret { let $a = self; $body } }
            };
        }
        trait Half { fn half(f64) -> f64 { fn twice(x: f64) -> f64 { 2.0 * x } twice(0.25) } }
        struct Length(f64);
        impl Half for Length {}
        add!(Length { fn add(a, b) -> Length { Length(a.0 + b.0 * Length::half(1.0)) } });
        pub fn f(x: f64) -> f64 { (Length(x) + Length(2.0)).0 }";
    assert_eq!(interpret(&package(2015, text), "f", 1.5), Ok(2.5));
}

#[test]
fn the_first_edition_imports_from_the_root_of_the_crate_in_functions_too() {
    let text = "
        mod tokens { pub enum Token { Number(f64), End } }
        mod reading {
            use tokens::Token;
            pub fn sum(all: Vec<Token>) -> f64 {
                use tokens::Token::*;
                let mut sum = 0.0;
                for token in all { match token { Number(x) => sum += x, End => sum *= 2.0 } }
                sum
            }
        }
        pub fn f(x: f64) -> f64 { use tokens::Token::*; reading::sum(vec![Number(x), End]) }";
    assert_eq!(interpret(&package(2015, text), "f", 1.5), Ok(3.0));
}

#[test]
fn temporaries_are_dropped_when_the_edition_says() {
    use editions::*;
    let text = include_str!("run/editions.rs");
    let functions: [Function; 8] = [
        ("before_else", before_else),
        ("else_after_else", else_after_else),
        ("borrowed_again", borrowed_again),
        ("before_variables", before_variables),
        ("before_variables_of_blocks", before_variables_of_blocks),
        ("chains_and_statements", chains_and_statements),
        ("before_the_block_of_let_else", before_the_block_of_let_else),
        ("as_long_as_what_refers_to_them", as_long_as_what_refers_to_them),
    ];
    compare_loaded("run/editions.rs", &package(2024, text), &functions);
    // As editions before it have it; what rustc gives there.
    let earlier = package(2021, text);
    assert_eq!(interpret(&earlier, "before_else", 0.0), Ok(31.0));
    assert_eq!(interpret(&earlier, "before_variables", 0.0), Ok(112.0));
    assert!(
        interpret(&earlier, "borrowed_again", 0.0).is_err_and(|error| error.contains("already borrowed"))
    );
}

/// A package `user` with a dependency.
fn with_dependency(name: &str, text: &str, dependency: &str) -> Loaded {
    let folder = std::env::temp_dir().join(format!("overdub-{name}-{}", std::process::id()));
    let write = |file: &str, text: &str| {
        let file = folder.join(file);
        std::fs::create_dir_all(file.parent().expect("it lies in a folder")).expect("a folder");
        std::fs::write(file, text).expect("a file");
    };
    let package =
        |name: &str| format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    let depends = format!("[dependencies]\n{name} = {{ path = \"{name}\" }}\n");
    write("Cargo.toml", &format!("{}{depends}", package("user")));
    write("src/lib.rs", text);
    write(&format!("{name}/Cargo.toml"), &package(name));
    write(&format!("{name}/src/lib.rs"), dependency);
    let loaded = Loaded::open(&folder).expect("it loads");
    // Dependencies are read when they are needed.
    let _ = interpret(&loaded, "f", 1.0);
    std::fs::remove_dir_all(&folder).expect("it is there");
    loaded
}

#[test]
fn values_of_a_dependency_are_dropped_by_its_own_code() {
    let user = "pub fn f(x: f64) -> f64 {
        let mut y = x;
        guard::doubled(&mut y);
        y
    }";
    let guard = "struct Guard<'a>(&'a mut f64);
        impl Drop for Guard<'_> { fn drop(&mut self) { *self.0 *= 2.0; } }
        pub fn doubled(x: &mut f64) { let _guard = Guard(x); }";
    assert_eq!(interpret(&with_dependency("guard", user, guard), "f", 3.0), Ok(6.0));
}

#[test]
fn a_dependency_is_compiled_as_for_an_interpreter() {
    let user = "pub fn f(x: f64) -> f64 { if cfg!(miri) { -x } else { words::sum(x) } }";
    let words = "#[cfg(not(miri))]
        pub fn sum(x: f64) -> f64 { let y; unsafe { core::arch::asm!(\"\", inout(\"xmm0\") x => y) }; y }
        #[cfg(miri)]
        pub fn sum(x: f64) -> f64 { x + 1.0 }";
    assert_eq!(interpret(&with_dependency("words", user, words), "f", 3.0), Ok(4.0));
}

#[test]
fn globs_import_the_macros_that_a_dependency_exports() {
    let user = "pub mod inner {
            use scales::*;
            pub fn f(x: f64) -> f64 { double!(x) + halve!(x) }
        }
        pub fn f(x: f64) -> f64 { use scales::*; inner::f(x) + double!(x) + shared!(x) }";
    let scales = "#[macro_export]
        macro_rules! double { ($x:expr) => { $x * 2.0 } }
        mod inner {
            #[macro_export]
            macro_rules! halve { ($x:expr) => { $x / 2.0 } }
            macro_rules! own { ($x:expr) => { $x * 100.0 } }
            pub(crate) use own;
            pub fn apply(x: f64) -> f64 { own!(x) }
        }
        use inner::*;
        pub mod again { pub use crate::double as shared; }
        pub use again::*;
        pub fn all(x: f64) -> f64 { own!(x) + apply(x) }";
    assert_eq!(interpret(&with_dependency("scales", user, scales), "f", 2.0), Ok(4.0 + 1.0 + 4.0 + 4.0));
}

#[test]
fn a_const_block_that_depends_on_itself_fails_in_the_run() {
    let text = "const fn endless<const N: usize>() -> usize { const { let n = endless::<N>(); n } }
    pub fn f(x: f64) -> f64 { x + endless::<2>() as f64 }";
    let loaded = Loaded::from_source("endless.rs", text).expect("it loads");
    assert!(interpret(&loaded, "f", 1.0).is_err());
}
