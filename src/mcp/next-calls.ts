/** Calls of tools as they are named to a model: the same sentences of the core name commands, which not every agent can run. */
type Arguments = Readonly<Record<string, unknown>>;

/** `take {"task":"t…"}` */
export function askedFor(tool: string, args: Arguments): string {
  return Object.keys(args).length === 0 ? tool : `${tool} ${JSON.stringify(args)}`;
}

const tools: readonly (readonly [command: RegExp, tool: string])[] = [
  [/staffetta show (t\w+|TASK) ([jrsd]\d+)/g, 'the tool read with task $1 and what: $2'],
  [/staffetta show (t\w+|TASK)/g, 'the tool status with task $1'],
  [/staffetta log (t\w+|TASK)/g, 'the tool read with task $1 and what: history'],
  [/staffetta history (t\w+|TASK)/g, 'the tool read with task $1 and what: history'],
  [/staffetta ls --all|staffetta ls/g, 'the tool status'],
  [/staffetta take (t\w+|TASK)/g, 'the tool take with task $1'],
  [
    /staffetta ack (t\w+|TASK) --goal TEXT --gate TEXT --next TEXT/g,
    'the tool take with task $1 and acknowledge: { goal, gate, next }',
  ],
  [/staffetta tell (t\w+|TASK) TEXT/g, 'the tool note, once you hold it; or say it to your user'],
  [
    /staffetta note "…" --dead-end "…", or --blocker/g,
    'the tool note with text and deadEnd, or blockers: […]',
  ],
  [
    /staffetta decide (t\w+|TASK) "…" --ask(?: --owner WHO)?/g,
    'the tool decide with task $1, text, ask: true and owner',
  ],
  [/staffetta decide (t\w+|TASK) "…"/g, 'the tool decide with task $1 and text'],
  [/staffetta checkpoint(?: (t\w+|TASK))?/g, 'the tool checkpoint'],
  [/staffetta submit(?: (t\w+|TASK))?/g, 'the tool submit'],
  [/staffetta open\b/g, 'the tool open'],
  [/staffetta handoff with --next and the others/g, 'the tool handoff with nextAction and the others'],
  [/--trigger (?=[a-z])/g, 'trigger: '],
  [
    /--question "agent:NAME: …", "human: …" or "human:NAME: …"/g,
    'questions: [{ text, owner }] with owner agent:NAME, human or human:NAME',
  ],
  [
    /--review human, --review lane:audit or --review agent:NAME/g,
    'review: "human", "lane:audit" or "agent:NAME", for open',
  ],
  [/--accept ("[^"]*")/g, 'acceptance: [$1], for open'],
  [/--non-goal ("[^"]*")/g, 'nonGoals: [$1], for open'],
  [/--validate ("[^"]*")/g, 'validation: [$1], for open'],
  [/--artefact "([^"]*): …"/g, 'artefacts: [{ path: "$1", why: "…" }]'],
  [/--artefact PATH/g, 'artefacts: ["PATH"]'],
  [/--(done|doing|remaining) ("[^"]*")/g, '$1: [$2]'],
  [/--transcript FILE/g, 'transcript: "FILE"'],
  [/--blocker\b/g, 'blockers: […]'],
  [/--remaining\b/g, 'remaining'],
  [/--next (?=")/g, 'nextAction: '],
  [/--next\b/g, 'nextAction'],
  [/: --why\b/g, ': why'],
];

/** In the words of a caller that has tools; a command for which there is none is left as it is. */
export function commandsAsTools(hint: string): string {
  return tools.reduce((text, [command, tool]) => text.replaceAll(command, tool), hint);
}

/** What is left of commands, as they can be run here. */
export function runnable(text: string, command: string): string {
  return command === 'staffetta'
    ? text
    : text.replaceAll(/(?<![\w./-])staffetta (?=[a-z]+\b)/g, `${command} `);
}
