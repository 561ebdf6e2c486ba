/**
 * The parts of a briefing, in the order in which they are printed. What is `data` was said by agents, printed, pasted or claimed and
 * stands between fences; the rest are instructions: what the tool has to say, the contract, which people own, and what users
 * themselves said and the contract does not: whoever takes over must not be told to follow no order of theirs.
 *
 * `share` is how many items of a part are taken in one round of filling (`fit.ts`); a part without one is filled last.
 */
export const sections = {
  question: { title: 'Unanswered: ask or answer this first', data: true, share: 2 },
  missing: { title: 'Missing', data: false, share: 12 },
  contract: { title: 'Contract', data: false, share: 24 },
  goals: { title: 'What users asked for', data: false, share: 5 },
  acceptance: { title: 'When users accept it', data: false, share: 8 },
  constraints: { title: 'What users said must hold', data: false, share: 10 },
  nonGoals: { title: 'What users do not want', data: false, share: 8 },
  reviewers: { title: 'Who reviews', data: false, share: 3 },
  preferences: { title: 'What users prefer', data: false, share: 3 },
  lastMessage: { title: 'What a user said last', data: false, share: 4 },
  said: { title: 'What else users said', data: false, share: 8 },
  added: { title: 'Added to the contract by a holder, and confirmed by nobody', data: true, share: 8 },
  failure: { title: 'Latest failure', data: true, share: 5 },
  blockers: { title: 'Blockers', data: true, share: 4 },
  next: { title: 'Next, and what was about to run', data: true, share: 6 },
  lastWords: { title: 'Last words of the previous agent', data: true, share: 6 },
  decisions: { title: 'Decisions', data: true, share: 6 },
  deadEnds: { title: 'Dead ends', data: true, share: 6 },
  turned: { title: 'Said where work was undone, failed or stopped', data: true, share: 3 },
  state: { title: 'State of the work', data: true, share: 6 },
  notCarried: { title: 'Not carried over: it is not in the packet', data: true, share: 8 },
  files: { title: 'Files changed', data: true, share: 30 },
  runs: { title: 'Last runs', data: true, share: 6 },
  concluded: { title: 'What else agents concluded', data: true, share: 8 },
  pasted: { title: 'What users pasted', data: true, share: 8 },
  given: { title: 'Told in a user’s name by what was handed in, not captured here', data: true, share: 8 },
  rest: { title: 'From the sessions, by the goal', data: true, share: null },
} as const;
export type SectionName = keyof typeof sections;
export const sectionNames = Object.keys(sections) as readonly SectionName[];
