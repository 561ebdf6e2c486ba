/**
 * How many tokens other models make of what o200k counts as one. The table of o200k is published and counted with exactly; those of
 * Claude and Gemini are not, so for them the count is multiplied by a factor that is meant as an upper bound: a budget
 * that is kept by this count is kept by the model's own.
 *
 *   gpt, codex     1     o200k is their own
 *   claude         1.8   1.16 for English prose, 1.21 for mathematics and 1.30 for Python in published counts of Claude 3.5 against
 *                        GPT-4o; the tokenizer since Opus 4.7 makes up to 1.35 times as many of the same text by its
 *                        maker's migration guide: 1.30 × 1.35 = 1.76
 *   gemini         1.25  published comparisons say 5 to 15 % more for English; it takes every digit as a token, where o200k takes up to
 *                        three, so logs cost more than prose
 *   anything else  1.8   a model without a name may be any of these: opencode runs all of them
 */
const factors: readonly (readonly [family: RegExp, factor: number])[] = [
  [/^(?:codex|openai|gpt|o\d|chatgpt)/, 1],
  [/^(?:claude|anthropic|opus|sonnet|haiku)/, 1.8],
  [/^(?:gemini|gemma|google)/, 1.25],
];

const factorMax = 1.8;

/** By the name of a runtime or a model, with or without its provider: `codex`, `anthropic/claude-opus-4-7`, `gpt-5`. */
export function factorFor(target: string): number {
  const name = target.trim().toLowerCase();
  const model = name.slice(name.lastIndexOf('/') + 1);
  for (const [family, factor] of factors) if (family.test(model)) return factor;
  return factorMax;
}
