//! Places inside lists and trees that own their nodes.

struct Node {
    value: f64,
    next: Option<Box<Node>>,
}

pub fn list_walk(x: f64) -> f64 {
    let mut head = Node { value: x, next: None };
    let mut cursor = &mut head;
    for i in 1..5 {
        cursor.next = Some(Box::new(Node { value: i as f64, next: None }));
        cursor = cursor.next.as_mut().unwrap();
    }
    cursor.value *= 2.0;
    let mut sum = 0.0;
    let mut at = Some(&head);
    while let Some(node) = at {
        sum = sum * 1.5 + node.value;
        at = node.next.as_deref();
    }
    sum
}

#[derive(Default)]
struct Tree {
    root: Option<Box<Leaf>>,
}

struct Leaf {
    key: f64,
    left: Option<Box<Leaf>>,
    right: Option<Box<Leaf>>,
}

impl Tree {
    fn insert(&mut self, key: f64) {
        let mut place = &mut self.root;
        while let Some(leaf) = place {
            place = if key < leaf.key { &mut leaf.left } else { &mut leaf.right };
        }
        *place = Some(Box::new(Leaf { key, left: None, right: None }));
    }

    fn insert_rec(at: &mut Option<Box<Leaf>>, key: f64) {
        match at {
            None => *at = Some(Box::new(Leaf { key, left: None, right: None })),
            Some(leaf) if key < leaf.key => Tree::insert_rec(&mut leaf.left, key),
            Some(leaf) => Tree::insert_rec(&mut leaf.right, key),
        }
    }

    fn walk(at: &Option<Box<Leaf>>, out: &mut Vec<f64>) {
        if let Some(leaf) = at {
            Tree::walk(&leaf.left, out);
            out.push(leaf.key);
            Tree::walk(&leaf.right, out);
        }
    }
}

pub fn tree_insert(x: f64) -> f64 {
    let mut tree = Tree::default();
    for key in [3.0, x, 1.0, 4.0, 2.0 * x, 2.5] {
        tree.insert(key);
    }
    Tree::insert_rec(&mut tree.root, 0.5);
    Tree::insert_rec(&mut tree.root, 9.5);
    let mut out = Vec::new();
    Tree::walk(&tree.root, &mut out);
    out.iter().enumerate().map(|(i, k)| k * (i as f64 + 1.0)).sum()
}

pub fn list_reverse(x: f64) -> f64 {
    let mut head: Option<Box<Node>> = None;
    for i in 0..4 {
        head = Some(Box::new(Node { value: x + i as f64, next: head.take() }));
    }
    let mut reversed = None;
    while let Some(mut node) = head {
        head = node.next.take();
        node.next = reversed;
        reversed = Some(node);
    }
    let mut sum = 0.0;
    let mut at = &reversed;
    while let Some(node) = at {
        sum = sum * 2.0 + node.value;
        at = &node.next;
    }
    sum
}
