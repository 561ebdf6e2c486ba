/** The skills that came with a packet, for a reader whose program does not load them by itself: what each is for, and what it says. */
import { asData, asTerms, type Item } from './item.ts';

export interface BriefSkill {
  readonly name: string;
  readonly description: string | null;
  readonly text: string;
}

export function skillItems(skills: readonly BriefSkill[]): Item[] {
  return skills.map(({ name, description, text }, place) => ({
    section: 'skills',
    label: description === null ? asData(name) : `${asData(name)} (${asData(description)})`,
    text: asTerms(text),
    names: [`skill:${asData(name)}`],
    place,
  }));
}
