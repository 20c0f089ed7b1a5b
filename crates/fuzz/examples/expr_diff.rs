use actions_fuzz::Random;
use actions_fuzz::expr::*;
use std::collections::BTreeMap;
fn main() {
    let n: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let seed: u64 = std::env::args().nth(2).unwrap().parse().unwrap();
    let mut peer = Peer::start("crates/fuzz/src/expr/evaluate.mjs".as_ref(), "/tmp/jn".as_ref()).unwrap();
    let mut found: BTreeMap<String, (String, String)> = BTreeMap::new();
    let (mut same, mut code, mut diff) = (0, 0, 0);
    let mut i = 0;
    while i < n {
        let batch: Vec<_> = (i..(i + 500).min(n))
            .map(|e| {
                let mut random = Random::of_execution(seed, e);
                let scope = random_scope(&mut random);
                let tree = Grammar::new(&mut random).expression();
                (tree, scope)
            })
            .collect();
        i += 500;
        let questions: Vec<_> = batch.iter().map(|(t, s)| (t.source(), s.clone())).collect();
        let theirs = peer.ask(&questions).unwrap();
        for ((tree, scope), theirs) in batch.into_iter().zip(theirs) {
            let source = tree.source();
            if std::env::var_os("SHOW").is_some() { eprintln!("{source}\n   {scope}"); }
            let ours = std::panic::catch_unwind(|| Answer::ours(&source, &scope))
                .unwrap_or(Answer::Error(Some("PANIC".into())));
            match compare(&ours, &theirs) {
                Judgement::Same => same += 1,
                Judgement::OtherCode if ours != Answer::Error(Some("PANIC".into())) => code += 1,
                _ => {
                    diff += 1;
                    if found.len() > 400 {
                        continue;
                    }
                    let (tree, scope) = shrink(tree, scope, |source, scope| {
                        let ours = std::panic::catch_unwind(|| Answer::ours(source, scope))
                            .unwrap_or(Answer::Error(Some("PANIC".into())));
                        let theirs = peer.ask(&[(source.to_owned(), scope.clone())]).unwrap().remove(0);
                        compare(&ours, &theirs) == Judgement::Different
                            || ours == Answer::Error(Some("PANIC".into()))
                    });
                    let source = tree.source();
                    let ours = std::panic::catch_unwind(|| Answer::ours(&source, &scope))
                        .unwrap_or(Answer::Error(Some("PANIC".into())));
                    let theirs = peer.ask(&[(source.clone(), scope.clone())]).unwrap().remove(0);
                    found.insert(source, (format!("ours {ours}   theirs {theirs}"), scope.to_string()));
                }
            }
        }
    }
    println!("same {same} other code {code} different {diff}");
    for (source, (what, scope)) in found {
        println!("{source}\n    {what}   {scope}");
    }
}
