//! What clippy would write differently: the attribute of a function that allows it.

use super::layout::ATTRIBUTE_WIDTH;

/// The arguments of a function that clippy does not mind.
const MOST_PARAMETERS: usize = 7;
/// The complexity of a type that clippy does not mind.
const MOST_COMPLEXITY: u32 = 250;
/// Constants that clippy knows: where a program has an approximation, so has the text.
const CONSTANTS: &[f64] = {
    use std::f64::consts::*;
    &[
        PI,
        TAU,
        E,
        FRAC_1_PI,
        FRAC_1_SQRT_2,
        FRAC_2_PI,
        FRAC_2_SQRT_PI,
        FRAC_PI_2,
        FRAC_PI_3,
        FRAC_PI_4,
        FRAC_PI_6,
        FRAC_PI_8,
        LN_2,
        LN_10,
        LOG10_2,
        LOG10_E,
        LOG2_10,
        LOG2_E,
        SQRT_2,
        1.618033988749895,
    ]
};

/// The attribute that allows what clippy would write differently in a function with so many parameters, where the text has
/// it: loops count and values are swapped as in the source, an opposite of an order of floats holds for what is no number,
/// and a difference of equal values is zero or no number.
pub(super) fn allowed(text: &str, params: usize) -> Option<String> {
    let has_loop = ["for i", "for lane in", "for element in"].iter().any(|head| text.contains(head));
    let is_fixed = |vector: &str| {
        let inside = vector.split(']').next().unwrap_or_default();
        let len = inside.split("; ").nth(1);
        len.is_none_or(|len| len.chars().all(|c| c.is_ascii_digit()))
    };
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let any = |is_due: &dyn Fn(&str) -> bool| lines.iter().any(|line| is_due(line));
    let lints = [
        ("approx_constant", any(&has_approximation)),
        ("collapsible_if", nested_ifs(&lines)),
        ("double_comparisons", any(&compares_or_equals)),
        ("eq_op", any(&has_equal_operands)),
        ("explicit_counter_loop", has_loop && text.contains("+= 1;")),
        ("if_same_then_else", equal_branches(&lines)),
        ("manual_memcpy", any(&copies_an_element)),
        ("manual_range_contains", text.contains(" && ")),
        ("manual_swap", swaps(&lines)),
        ("needless_late_init", late_values(&lines)),
        ("needless_range_loop", has_loop),
        ("neg_cmp_op_on_partial_ord", text.contains("!(")),
        ("neg_multiply", text.contains("-1.0 * ")),
        ("nonminimal_bool", text.contains("!(")),
        ("redundant_comparisons", any(&compares_twice)),
        ("too_many_arguments", params > MOST_PARAMETERS),
        ("type_complexity", any(&is_complex)),
        ("useless_vec", text.split("vec![").skip(1).any(is_fixed)),
    ];
    let lints = lints.into_iter().filter(|(_, is_due)| *is_due);
    let lints: Vec<String> = lints.map(|(lint, _)| format!("clippy::{lint}")).collect();
    let line = lints.join(", ");
    if line.is_empty() {
        None
    } else if line.len() <= ATTRIBUTE_WIDTH {
        Some(format!("#[allow({line})]\n"))
    } else {
        Some(format!("#[allow(\n    {}\n)]\n", lints.join(",\n    ")))
    }
}

/// Whether a line stores an element of one list in another.
fn copies_an_element(line: &str) -> bool {
    let is_element = |text: &str| text.ends_with(']') && text.matches('[').count() == 1;
    let copies = line.trim().strip_suffix(';').and_then(|line| line.split_once(" = "));
    copies.is_some_and(|(to, from)| {
        is_element(to) && is_element(from) && !to.contains(' ') && !from.contains(' ')
    })
}

/// Whether a line has a number of at least three digits that approximates a constant.
fn has_approximation(line: &str) -> bool {
    // A number has a digit before its point.
    let is_of_number = |at: usize| line[..at].ends_with(|c: char| c.is_ascii_digit());
    if !line.match_indices('.').any(|(at, _)| is_of_number(at)) {
        return false;
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_';
    line.split(|c: char| !is_part(c)).any(|word| {
        let digits = word.trim_end_matches("_f32");
        let number = digits.parse::<f64>().ok().filter(|_| digits.len() > 3 && digits.contains('.'));
        number.is_some_and(|x| CONSTANTS.iter().any(|constant| (x - constant).abs() < 1e-3 * constant))
    })
}

/// The characters of binary operators of which equal operands are a mistake.
const OPERATORS: &[u8] = b"-/<>=!";

/// Whether an operator has the same name on both sides.
fn has_equal_operands(line: &str) -> bool {
    // Operators stand between spaces.
    line.match_indices(' ').any(|(at, _)| {
        let after = &line[at + 1..];
        let len = after.bytes().take_while(|byte| OPERATORS.contains(byte)).count();
        let is_operator = ["-", "/", "<", ">", "<=", ">=", "==", "!="].contains(&&after[..len]);
        if !is_operator {
            return false;
        }
        let ends = [' ', '(', ')', ';', ','];
        let Some(right) = after[len..].strip_prefix(ends) else { return false };
        line[..at].rsplit(ends).next() == right.split(ends).next()
    })
}

/// Whether one name is compared twice in the same direction.
fn compares_twice(line: &str) -> bool {
    let parts: Vec<&str> = line.split(" && ").collect();
    parts.windows(2).any(|pair| {
        let left: Vec<&str> = pair[0].rsplit([' ', '(']).take(3).collect();
        let right: Vec<&str> = pair[1].split(' ').take(3).collect();
        let (&[_, sign, name], &[other, again, _]) = (&left[..], &right[..]) else { return false };
        name == other
            && sign.get(..1) == again.get(..1)
            && ["<", ">"].iter().any(|order| sign.starts_with(order))
    })
}

/// Whether two numbers are compared for one order or equality.
fn compares_or_equals(line: &str) -> bool {
    let parts: Vec<&str> = line.split(" || ").collect();
    parts.windows(2).any(|pair| {
        let left: Vec<&str> = pair[0].rsplit([' ', '(']).take(3).collect();
        let right: Vec<&str> = pair[1].split([' ', ')']).take(3).collect();
        let (&[b, sign, a], &[a2, again, b2]) = (&left[..], &right[..]) else { return false };
        (a, b) == (a2, b2) && [("<", "=="), (">", "=="), ("==", "<"), ("==", ">")].contains(&(sign, again))
    })
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Whether two branches of an `if` that follow each other are equal.
fn equal_branches(lines: &[&str]) -> bool {
    let at_else = |&at: &usize| lines[at].trim_start().starts_with("} else ") && lines[at].ends_with('{');
    (0..lines.len()).filter(at_else).any(|at| {
        let is_edge = |line: &&str| indentation(line) <= indentation(lines[at]);
        let before = lines[..at].iter().rev().take_while(|line| !is_edge(line)).count();
        let after = lines[at + 1..].iter().take_while(|line| !is_edge(line)).count();
        lines[at - before..at] == lines[at + 1..at + 1 + after]
    })
}

/// Whether an `if` contains nothing but another one.
fn nested_ifs(lines: &[&str]) -> bool {
    let is_if = |line: &str| line.trim_start().starts_with("if ") && line.ends_with('{');
    (1..lines.len()).filter(|&at| is_if(lines[at - 1]) && is_if(lines[at])).any(|at| {
        let mut rest = lines[at + 1..].iter().skip_while(|line| indentation(line) > indentation(lines[at]));
        rest.next().is_some_and(|line| line.trim() == "}")
            && rest.next().is_some_and(|line| line.trim() == "}")
    })
}

/// Whether the declaration of a variable without a value is followed by an `if` or `match` whose first branch ends with its
/// value.
fn late_values(lines: &[&str]) -> bool {
    let declared = |line: &str| -> Option<String> {
        let (name, _) = line.trim_start().strip_prefix("let ")?.split_once(": ")?;
        (line.ends_with(';') && !line.contains(" = ")).then(|| format!("{name} = "))
    };
    (1..lines.len()).any(|at| {
        let (Some(name), first) = (declared(lines[at - 1]), lines[at]) else { return false };
        let depth = match first.trim_start().split(' ').next() {
            Some("if") => indentation(first),
            Some("match") => indentation(first) + 4,
            _ => return false,
        };
        let ends = |line: &&&str| indentation(line) == depth && line.trim_start().starts_with('}');
        let end = lines[at + 1..].iter().position(|line| ends(&line));
        end.is_some_and(|end| lines[at + end].trim_start().starts_with(&name))
    })
}

/// Whether three lines swap two variables.
fn swaps(lines: &[&str]) -> bool {
    let assigned = |line: &str| -> Option<(String, String)> {
        let (to, from) = line.trim().strip_suffix(';')?.split_once(" = ")?;
        Some((to.to_owned(), from.to_owned()))
    };
    lines.windows(3).any(|part| {
        let all = (assigned(part[0]), assigned(part[1]), assigned(part[2]));
        let (Some((kept, a)), Some((a2, b)), Some((b2, from))) = all else { return false };
        let name = kept.strip_prefix("let ").map(|kept| kept.split(": ").next().unwrap_or(kept));
        name == Some(&from) && a == a2 && b == b2
    })
}

/// Whether a line has a type that clippy calls very complex: each part counts ten times its depth.
fn is_complex(line: &str) -> bool {
    let line = line.replace("<const STRONG: bool>", "");
    let Some((_, ty)) = line.split_once(": ").or_else(|| line.split_once(" -> ")) else { return false };
    let (mut depth, mut score, mut most, mut is_word) = (1_u32, 0, 0, false);
    for c in ty.split(" = ").next().unwrap_or_default().replace("->", " ").chars() {
        match c {
            // The next parameter, or the result.
            ',' if depth == 1 => score = 0,
            ')' if depth == 1 => score = 0,
            '(' | '[' => {
                score += 10 * depth;
                depth += 1;
            }
            '<' => depth += 1,
            '>' | ')' | ']' => depth = depth.saturating_sub(1).max(1),
            c if c.is_alphanumeric() && !is_word => score += 10 * depth,
            _ => {}
        }
        most = most.max(score);
        is_word = c.is_alphanumeric();
    }
    most > MOST_COMPLEXITY
}
