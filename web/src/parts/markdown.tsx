/**
 * Markdown that agents wrote, drawn from the tokens that `marked` reads out of it: no markup is ever made of their words, so there is none
 * to clean. What is not in the list below is shown as it was written: HTML, pictures, and links that lead elsewhere than to http or https.
 */
import type { Token, Tokens } from 'marked';
import type { ComponentChildren } from 'preact';
import { Said } from '../diff/text.tsx';
import { tokensOf } from './tokens.ts';

export function Markdown({ text }: { readonly text: string }) {
  const tokens = tokensOf(text);
  return tokens === undefined ? <div class="as-is">{said(text)}</div> : <>{drawnAll(tokens)}</>;
}

function said(text: string): ComponentChildren {
  return <Said text={text} prose />;
}

function drawnAll(tokens: readonly Token[] | undefined): ComponentChildren {
  return (tokens ?? []).map((token) => drawn(token as Tokens.Generic));
}

function drawn(token: Tokens.Generic): ComponentChildren {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'br':
      return <br />;
    case 'hr':
      return <hr />;
    case 'escape':
      return said((token as Tokens.Escape).text);
    case 'text': {
      const { tokens, text } = token as Tokens.Text;
      return tokens === undefined ? said(text) : drawnAll(tokens);
    }
    case 'paragraph':
      return <p>{drawnAll(token.tokens)}</p>;
    // The page has headings of its own, and a text in it has none.
    case 'heading':
      return (
        <p>
          <strong>{drawnAll(token.tokens)}</strong>
        </p>
      );
    case 'strong':
      return <strong>{drawnAll(token.tokens)}</strong>;
    case 'em':
      return <em>{drawnAll(token.tokens)}</em>;
    case 'del':
      return <del>{drawnAll(token.tokens)}</del>;
    case 'blockquote':
      return <blockquote>{drawnAll(token.tokens)}</blockquote>;
    case 'codespan':
      return <code>{said((token as Tokens.Codespan).text)}</code>;
    case 'code':
      return (
        <pre>
          <code>{said((token as Tokens.Code).text)}</code>
        </pre>
      );
    case 'list':
      return <List list={token as Tokens.List} />;
    case 'table':
      return <Table table={token as Tokens.Table} />;
    case 'link':
      return <Link link={token as Tokens.Link} />;
    case 'checkbox':
      return (token as Tokens.Checkbox).checked ? '[x] ' : '[ ] ';
    default:
      return said(token.raw);
  }
}

function List({ list: { ordered, start, items } }: { readonly list: Tokens.List }) {
  const inside = items.map((item, n) => (
    <li key={n}>
      {item.task && !item.tokens.some(({ type }) => type === 'checkbox')
        ? item.checked === true
          ? '[x] '
          : '[ ] '
        : null}
      {drawnAll(item.tokens)}
    </li>
  ));
  return ordered ? <ol start={start === '' ? 1 : start}>{inside}</ol> : <ul>{inside}</ul>;
}

function Table({ table: { header, rows } }: { readonly table: Tokens.Table }) {
  return (
    <table>
      <thead>
        <tr>
          {header.map((cell, n) => (
            <th key={n}>{drawnAll(cell.tokens)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, n) => (
          <tr key={n}>
            {row.map((cell, at) => (
              <td key={at}>{drawnAll(cell.tokens)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Where it leads is said beside it where the words do not: they are an agent's. */
function Link({ link: { href, text, tokens, raw } }: { readonly link: Tokens.Link }) {
  if (!isWeb(href)) return <>{said(raw)}</>;
  return (
    <>
      <a href={href} rel="noreferrer" target="_blank">
        {drawnAll(tokens)}
      </a>
      {href === text || href === `http://${text}` ? null : <span class="quiet"> ({href})</span>}
    </>
  );
}

function isWeb(href: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(href).protocol);
  } catch {
    return false;
  }
}
