/** Calls of tools as they are named to a model: the same sentences of the core name commands, which not every agent can run. */
type Arguments = Readonly<Record<string, unknown>>;

/** `take {"task":"t…"}` */
export function askedFor(tool: string, args: Arguments): string {
  return Object.keys(args).length === 0 ? tool : `${tool} ${JSON.stringify(args)}`;
}

/** A command as hints name it, with all that belongs to it. */
const command = (() => {
  const value = '"[^"]*"|…|[A-Z]{2,}';
  const valued = String.raw`--(?:as|at|budget|drop-need|from|in|lane|runtime|to) (?:${value}|[\w:.-]*\w)`;
  const positional = String.raw`t\w+|[jrsd]\d+\b|${value}`;
  const first = String.raw`(?: (?:status|verify|${positional})\b)?`;
  return new RegExp(
    String.raw`staffetta [a-z]+${first}(?: (?:${valued}|--[a-z-]+|[jrsd]\d+\b|${value}))*`,
    'g',
  );
})();

/** Each for a whole command: half of one says nothing to anybody. */
const tools: readonly (readonly [command: RegExp, tool: string])[] = [
  [/^show (t\w+|TASK) ([jrsd]\d+)$/, 'the tool read with task $1 and what: $2'],
  [/^show (t\w+|TASK)$/, 'the tool status with task $1'],
  [/^(?:log|history) (t\w+|TASK)$/, 'the tool read with task $1 and what: history'],
  [/^ls(?: --all)?$/, 'the tool status'],
  [/^take (t\w+|TASK)$/, 'the tool take with task $1'],
  [
    /^take (t\w+|TASK)(?: --(?:as|runtime) \S+)* --lane (\w+)$/,
    'the tool take with task $1, of a server that speaks in the $2 lane',
  ],
  [/^take --wait TIME$/, 'the tool wait with for: offer'],
  [
    /^ack (t\w+|TASK)(?: --as \S+)? --goal TEXT --gate TEXT --next TEXT$/,
    'the tool take with task $1 and acknowledge: { goal, gate, next }',
  ],
  [/^tell (t\w+|TASK) TEXT$/, 'the tool note, once you hold it; or say it to your user'],
  [/^note "…" --dead-end "…"$/, 'the tool note with text and deadEnd'],
  [
    /^decide (t\w+|TASK) "…" --ask(?: --owner WHO)?$/,
    'the tool decide with task $1, text, ask: true and owner',
  ],
  [/^decide (t\w+|TASK) "…"$/, 'the tool decide with task $1 and text'],
  [/^checkpoint(?: (?:t\w+|TASK))?$/, 'the tool seal'],
  [/^submit(?: (?:t\w+|TASK))?$/, 'the tool seal with as: submit'],
  [/^handoff$/, 'the tool seal with as: handoff'],
  [/^open(?: ("[^"]*"))?$/, 'the tool open'],
];

const argumentsOf: readonly (readonly [option: RegExp, argument: string])[] = [
  [/--trigger (?=[a-z])/g, 'trigger: '],
  [
    /--question "agent:NAME: …", "human: …" or "human:NAME: …"/g,
    'questions: ["agent:NAME: …"], ["human: …"] or ["human:NAME: …"]',
  ],
  [
    /--review human, --review lane:audit or --review agent:NAME/g,
    'review: "human", "lane:audit" or "agent:NAME", for open',
  ],
  [/--review human\b/g, 'review: "human"'],
  [/--accept ("[^"]*")/g, 'acceptance: [$1], for open'],
  [/--non-goal ("[^"]*")/g, 'nonGoals: [$1], for open'],
  [/--validate ("[^"]*")/g, 'validation: [$1], for open'],
  [/--artefact ("[^"]*: …")/g, 'artefacts: [$1]'],
  [/--artefact PATH/g, 'artefacts: ["PATH"]'],
  [/--(done|doing|remaining) ("[^"]*")/g, '$1: [$2]'],
  [/--transcript FILE/g, 'transcript: "FILE"'],
  [/--to ([\w:.-]*\w)/g, 'to: "$1"'],
  [/--blocker\b/g, 'blockers: […]'],
  [/--remaining\b/g, 'remaining'],
  [/--next (?=")/g, 'nextAction: '],
  [/--next\b/g, 'nextAction'],
  [/: --why\b/g, ': why'],
];

/** In the words of a caller that has tools; a command for which there is none is left whole, for a shell. */
export function commandsAsTools(hint: string): string {
  let told = '';
  let end = 0;
  for (const { 0: whole, index } of hint.matchAll(command)) {
    told += `${optionsAsArguments(hint.slice(end, index))}${asTool(whole)}`;
    end = index + whole.length;
  }
  return `${told}${optionsAsArguments(hint.slice(end))}`;
}

function asTool(whole: string): string {
  const words = whole.slice('staffetta '.length);
  const known = tools.find(([form]) => form.test(words));
  return known === undefined ? whole : words.replace(...known);
}

function optionsAsArguments(text: string): string {
  return argumentsOf.reduce((told, [option, argument]) => told.replaceAll(option, argument), text);
}

/** What is left of commands, as they can be run here. */
export function runnable(text: string, command: string): string {
  return command === 'staffetta'
    ? text
    : text.replaceAll(/(?<![\w./-])staffetta (?=[a-z]+\b)/g, `${command} `);
}
