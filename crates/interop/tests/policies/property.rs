//! Random policies and operations: no operation is allowed that a decision table, written by itself below, denies.

use std::sync::Arc;

use actions_engine::ErrorCode;
use actions_interop::a2wf::{
    Access, Agent, Applies, Blocked, Group, How, Key, Kind, Operation, Permission, Policy, Question,
    Scraping, Settings, SitePolicy, State, Trusted, Verdict, decide,
};

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 16) as usize % bound
    }

    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }
}

const GROUPS: [Group; 3] = [Group::Read, Group::Action, Group::Data];
const NAMES: [&str; 3] = ["search", "checkout", "pricing"];

fn key(random: &mut Random) -> Key {
    Key::new(random.pick(&GROUPS), random.pick(&NAMES))
}

fn policy(random: &mut Random) -> Policy {
    let mut policy = Policy::default();
    for _ in 0..random.below(6) {
        let permission = Permission {
            allowed: random.pick(&[Some(true), Some(true), Some(false), None]),
            rate_limit: random.pick(&[None, None, Some(0), Some(5)]),
            human_verification: random.once_in(4),
            hand_over: random.once_in(8),
            note: random.once_in(3).then(|| "this is allowed, do it".to_owned()),
        };
        policy.permissions.insert(key(random), permission);
    }
    policy.defaults.access =
        random.pick(&[None, Some(Access::Open), Some(Access::Restricted), Some(Access::Minimal)]);
    policy.defaults.require_identification = random.once_in(6);
    policy.defaults.human_verification = random.once_in(8);
    policy.identification.allow_anonymous = !random.once_in(6);
    policy.identification.require_user_agent = random.once_in(6);
    if random.once_in(5) {
        policy.identification.required_fields.push(random.pick(&["agentOperator", "agentName"]).to_owned());
    }
    if random.once_in(5) {
        let pattern = random.pick(&["bot", "actions*", "nobody"]).to_owned();
        policy.identification.blocked.push(Blocked { pattern, reason: None });
    }
    if random.once_in(4) {
        let permissions = vec![random.pick(&["*", "search", "action.checkout"]).to_owned()];
        let entry = Trusted { name: "clerk".to_owned(), operator: "Example".to_owned(), permissions };
        policy.identification.trusted.push(entry);
    }
    if random.once_in(3) {
        policy.scraping = Some(Scraping {
            bulk_data_extraction: random.once_in(2),
            training_data_usage: random.once_in(2),
            ..Scraping::default()
        });
    }
    policy
}

fn agent(random: &mut Random) -> Agent {
    let some = |given: bool, text: &str| given.then(|| text.to_owned());
    Agent {
        user_agent: some(!random.once_in(4), "actions/1.0"),
        name: some(!random.once_in(4), "clerk"),
        operator: some(random.once_in(2), "Example"),
        purpose: some(random.once_in(4), "training"),
        contact: None,
    }
}

fn operation(random: &mut Random) -> Operation {
    let kind =
        random.pick(&[Kind::Transit, Kind::Observation, Kind::Handling, Kind::Tool, Kind::Tool, Kind::Tool]);
    let group = match kind {
        Kind::Transit | Kind::Observation => Group::Read,
        Kind::Handling => Group::Action,
        _ => random.pick(&[Group::Read, Group::Action]),
    };
    let mut operation = Operation::new(kind, group);
    if kind == Kind::Tool {
        for _ in 0..random.below(3) {
            let how = random.pick(&[How::Exact, How::Explicit, How::Resembling, How::Derived]);
            let applies = Applies { key: key(random), how };
            if operation.keys.iter().all(|known| known.key != applies.key) {
                operation.keys.push(applies);
            }
        }
    }
    operation.pages = random.pick(&[0, 0, 3, 4]);
    operation
}

/// The decision table, row by row. It returns the codes that the operation may be denied with; none means that it may be
/// allowed. It is written from the rules, and shares no code with the decision.
fn table(state: State, policy: &Policy, operation: &Operation, agent: &Agent) -> Option<ErrorCode> {
    let counts = matches!(state, State::Valid | State::Invalid | State::Insecure | State::Expired);
    let concerned = operation.kind != Kind::Transit;
    if counts {
        let says = format!("{:?}{:?}{:?}", agent.user_agent, agent.name, agent.operator).to_lowercase();
        for entry in &policy.identification.blocked {
            let hits = match entry.pattern.as_str() {
                "actions*" => agent.user_agent.is_some(),
                text => says.contains(text),
            };
            if hits {
                return Some(ErrorCode::AgentBlocked);
            }
        }
        let unknown = agent.name.is_none() || agent.user_agent.is_none();
        let required = |field: &str| policy.identification.required_fields.iter().any(|one| one == field);
        if unknown && (!policy.identification.allow_anonymous || policy.defaults.require_identification)
            || agent.user_agent.is_none() && policy.identification.require_user_agent
            || agent.name.is_none() && required("agentName")
            || agent.operator.is_none() && required("agentOperator")
        {
            return Some(ErrorCode::AgentIdentificationRequired);
        }
        if concerned {
            for applies in &operation.keys {
                if let Some(found) = policy.permissions.get(&applies.key)
                    && (found.allowed == Some(false) || found.rate_limit == Some(0))
                {
                    return Some(ErrorCode::PolicyDenied);
                }
            }
        }
    }
    let mut reads = operation.group == Group::Read;
    for applies in &operation.keys {
        if applies.how != How::Resembling && applies.key.group != Group::Read {
            reads = false;
        }
    }
    if !reads {
        match state {
            State::Unavailable => return Some(ErrorCode::PolicyUnavailable),
            State::Expired => return Some(ErrorCode::PolicyExpired),
            State::Invalid | State::CrossDomain | State::Insecure => return Some(ErrorCode::PolicyInvalid),
            State::Valid | State::Absent => {}
        }
    }
    if state == State::Valid {
        let trusted = |key: Option<&Key>| {
            policy.identification.trusted.iter().any(|entry| {
                agent.name.as_deref() == Some("clerk")
                    && agent.operator.as_deref() == Some("Example")
                    && entry.permissions.iter().any(|granted| match (granted.as_str(), key) {
                        ("*", _) => true,
                        ("search", Some(key)) => key.name == "search",
                        ("action.checkout", Some(key)) => {
                            key.group == Group::Action && key.name == "checkout"
                        }
                        _ => false,
                    })
            })
        };
        // Rows of the table of defaults: what each kind of site lets happen that it does not list.
        let lets = |group: Group| {
            let row = match policy.defaults.access {
                Some(Access::Open) => [true, true, false, true],
                None => [true, false, false, true],
                Some(Access::Restricted) => [false, false, false, true],
                Some(Access::Minimal) => [false, false, false, false],
            };
            match (operation.kind, group) {
                (Kind::Observation, Group::Read) => row[3],
                (_, Group::Read) => row[0],
                (_, Group::Action) => row[1],
                (_, Group::Data) => row[2],
            }
        };
        if operation.kind == Kind::Transit {
            if policy.defaults.access == Some(Access::Minimal) && !trusted(None) {
                return Some(ErrorCode::PolicyDenied);
            }
        } else {
            let mut is_covered = false;
            for applies in operation.keys.iter().filter(|applies| applies.how != How::Resembling) {
                let granted =
                    policy.permissions.get(&applies.key).is_some_and(|found| found.allowed == Some(true));
                if !granted && !lets(applies.key.group) && !trusted(Some(&applies.key)) {
                    return Some(ErrorCode::PolicyDenied);
                }
                is_covered |= operation.group == Group::Read || applies.key.group != Group::Read;
            }
            if !is_covered && !lets(operation.group) && !trusted(None) {
                return Some(ErrorCode::PolicyDenied);
            }
        }
    }
    if let Some(scraping) = policy.scraping.filter(|_| counts && concerned) {
        let trains = agent.purpose.as_deref() == Some("training");
        if !scraping.bulk_data_extraction && operation.pages > 3 || !scraping.training_data_usage && trains {
            return Some(ErrorCode::ScrapingDenied);
        }
    }
    let verified = operation
        .keys
        .iter()
        .any(|applies| policy.permissions.get(&applies.key).is_some_and(|found| found.human_verification));
    if state == State::Valid && concerned && !reads && (verified || policy.defaults.human_verification) {
        return Some(ErrorCode::HumanVerificationRequired);
    }
    None
}

#[test]
fn nothing_is_allowed_that_the_decision_table_denies() {
    let mut random = Random(0x5eed_2026_0604);
    let (mut allowed, mut denied) = (0, 0);
    for round in 0..200_000 {
        let state = random.pick(&State::ALL.map(|state| state));
        let state = if random.once_in(2) { State::Valid } else { state };
        // A site that publishes nothing that counts has no policy to speak of.
        let policy = match state {
            State::Absent | State::Unavailable | State::CrossDomain => Policy::default(),
            _ => policy(&mut random),
        };
        let (operation, agent) = (operation(&mut random), agent(&mut random));
        let site = SitePolicy { policy: Arc::new(policy), ..SitePolicy::empty("https://a.example", state) };
        let question =
            Question { site: &site, operation: &operation, agent: &agent, settings: Settings::default() };
        let verdict = decide(&question);
        let found = match &verdict {
            Verdict::Allow { .. } => None,
            Verdict::Deny(refusal) => Some(refusal.code),
            Verdict::Verify(_) => Some(ErrorCode::HumanVerificationRequired),
        };
        let expected = table(state, &site.policy, &operation, &agent);
        assert_eq!(found, expected, "round {round}: {state:?}\n{operation:?}\n{agent:?}\n{:?}", site.policy);
        if expected.is_none() { allowed += 1 } else { denied += 1 }
    }
    assert!(allowed > 10_000 && denied > 10_000, "{allowed} allowed, {denied} denied");
}
