/**
 * The parts of a briefing, in the order in which they are printed. What is `data` was said by agents, printed, or claimed and stands
 * between fences. The rest are instructions: what the tool has to say, the contract, which people own, and what users themselves said. The
 * receiver must not be told to follow no order of theirs.
 *
 * `cap` is the most that parts of a group may take of the budget, in all (`fit.ts`). Together the caps are less than the whole, so that
 * a larger budget never drops a line that a smaller one had.
 */
export const caps = { written: 1 / 3, pending: 0.12, stopped: 0.25, summarised: 0.08 } as const;
export type CappedGroup = keyof typeof caps;

interface Section {
  readonly title: string;
  readonly data: boolean;
  readonly cap?: CappedGroup;
}

export const sections = {
  missing: { title: 'Missing', data: false },
  // What was written down on purpose: these labels are facts.
  contract: { title: 'Contract', data: false, cap: 'written' },
  sentBack: { title: 'Sent back: this must change before it is handed in again', data: true },
  added: { title: 'Added to the contract, and confirmed by nobody', data: true, cap: 'written' },
  question: { title: 'Questions on record that wait for an answer', data: true, cap: 'written' },
  next: { title: 'Next, as the holder put it', data: true, cap: 'written' },
  decisions: { title: 'Decisions', data: true, cap: 'written' },
  deadEnds: { title: 'Dead ends', data: true, cap: 'written' },
  blockers: { title: 'Blockers', data: true, cap: 'written' },
  state: { title: 'State of the work, as holders noted it', data: true, cap: 'written' },
  own: { title: 'Summary by the agent itself; citations were checked', data: true, cap: 'written' },
  skills: { title: 'Skills that came with it', data: true, cap: 'written' },
  // What came along the graph of tasks.
  needs: { title: 'What the tasks left that this one needed', data: true },
  waiting: { title: 'Tasks that wait for this one', data: true },
  // What the record of the sessions says by its structure.
  asked: { title: 'Pending: the agent asked this, and nobody answered', data: true, cap: 'pending' },
  order: { title: 'Pending: what a user said last; no agent has answered', data: false, cap: 'pending' },
  answered: { title: 'What a user said last; the agent answered it below', data: false, cap: 'pending' },
  stopped: { title: 'Where the agent stopped: its last message', data: true, cap: 'stopped' },
  running: { title: 'The call that was running', data: true },
  list: { title: 'Task list of the agent, as it was left', data: true },
  summarised: { title: 'What the program itself summarised', data: true, cap: 'summarised' },
  users: { title: 'What users said, in order; later words supersede earlier ones', data: false },
  given: { title: 'Told in a user’s name by what was handed in, not captured here', data: true },
  handed: { title: 'Handed in as text, not captured here; it speaks for no user', data: true },
  commits: { title: 'Commits and pull requests made', data: true },
  files: { title: 'Files edited', data: true },
  notCarried: { title: 'Not carried over: it is not in the packet', data: true },
  checks: { title: 'Checks: what failed and was not made good, and what passed last', data: true },
  turns: { title: 'What agents said at the end of their turns', data: true },
  rest: { title: 'What else agents said', data: true },
} as const satisfies Readonly<Record<string, Section>>;
export type SectionName = keyof typeof sections;
export const sectionNames = Object.keys(sections) as readonly SectionName[];

export function capOf(section: SectionName): CappedGroup | undefined {
  return (sections[section] as Section).cap;
}
