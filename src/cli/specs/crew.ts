import type { CommandSpec } from '../frame/spec.ts';

export const crewSpecs: readonly CommandSpec[] = [
  {
    name: 'run',
    group: 'Crew',
    summary: 'Carry a plan to its end, with agents that each have a tree of their own',
    arguments: [
      { name: 'FILE', help: 'The plan, as YAML or JSON; left out to go on with a run', optional: true },
    ],
    options: {
      crew: {
        type: 'string',
        value: 'FILE',
        help: 'Who works on it; by default the crew in the plan, or one of what is installed',
      },
      name: { type: 'string', value: 'NAME', help: 'What the run is called; by default as the file' },
      base: { type: 'string', value: 'REF', help: 'Where work starts (HEAD); the plan can say it too' },
      yes: { type: 'boolean', short: 'y', help: 'Agree to what the plan changes in a run that is under way' },
      'until-idle': { type: 'boolean', help: 'End when nothing moves before a person does' },
    },
    examples: [
      'staffetta run plan.yaml',
      'staffetta run plan.yaml --crew crew.yaml --name limits',
      'staffetta run --name limits',
      'staffetta run plan.yaml --until-idle --json',
    ],
    load: async () => await import('../commands/crew/run.ts'),
  },
  {
    name: 'steer',
    group: 'Crew',
    summary: 'Tell a run how to go on: pause, resume, caps, who works on what',
    arguments: [{ name: 'RUN', help: 'Its name' }],
    options: {
      pause: { type: 'boolean', help: 'Start nothing more; what is worked on goes on' },
      resume: { type: 'boolean', help: 'Go on' },
      parallel: { type: 'string', value: 'N', help: 'So many at once' },
      cap: {
        type: 'string',
        value: 'WHAT=N',
        multiple: true,
        help: 'What all of it may use before a person is asked: tokens, legs, time or cost',
      },
      cancel: { type: 'string', value: 'TASK', multiple: true, help: 'Take a task of the plan out' },
      give: {
        type: 'string',
        value: 'TASK=AGENT',
        multiple: true,
        help: 'Give a task to another agent of the crew; who is at it is stopped',
      },
      start: {
        type: 'string',
        value: 'TASK',
        multiple: true,
        help: 'Start it, where the strategy is manual',
      },
      why: { type: 'string', value: 'TEXT', help: 'For the record' },
    },
    examples: [
      'staffetta steer limits --pause --why "The tests of main are red"',
      'staffetta steer limits --resume',
      'staffetta steer limits --parallel 1 --cap tokens=20M --cap cost=25USD',
      'staffetta steer limits --cancel wire --give limiter=code',
    ],
    load: async () => await import('../commands/crew/steer.ts'),
  },
  {
    name: 'route',
    group: 'Crew',
    summary: 'Say which agent each task of a plan would be given to, and why',
    arguments: [{ name: 'FILE', help: 'The plan, as YAML or JSON; - reads stdin' }],
    options: {
      crew: {
        type: 'string',
        value: 'FILE',
        help: 'Who works on it; by default the crew in the plan, or one of what is installed',
      },
      name: { type: 'string', value: 'NAME', help: 'A run: what it has on record counts first' },
    },
    examples: ['staffetta route plan.yaml --dry-run', 'staffetta route plan.yaml --name limits --json'],
    load: async () => await import('../commands/crew/route.ts'),
  },
];
