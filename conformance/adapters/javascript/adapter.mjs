// Tests engine.mjs over the conformance protocol. Node only, no packages.
//
//     trickwright test chief-and-vice --engine 'node conformance/adapters/javascript/adapter.mjs'

import { createInterface } from "node:readline";
import { Impossible, TrickTaking } from "./engine.mjs";

const GAME = "chief-and-vice";

const started = {
  protocol: 1,
  engine: { name: "trick-taking", version: "1", language: "JavaScript" },
  games: {
    [GAME]: {
      players: [4, 5, 6],
      variants: [],
      phases: ["tricks"],
      given: [
        "chief", "vice", "partner", "trumps", "hands", "laid_out", "bids", "card_points", "tricks_won", "to_move",
      ],
      asks: ["may", ...Object.keys(TrickTaking.facts)],
    },
  },
};

function playLine(hand, { player, does, may }) {
  const step = { refused: null };
  if (may) step.may = hand.legal(player);
  if (does !== null) {
    const actions = [does].flat();
    if (actions.length !== 1) throw new Impossible("one card is played at a time");
    const words = actions[0].split(" ");
    step.refused = hand.act(player, words.length > 1 ? words[0] : "plays", words.at(-1));
  }
  return step;
}

function run({ game, given, play, ask }) {
  if (game !== GAME) {
    return { answer: "skipped", lacks: `games.${game}`, because: `this engine plays ${GAME}` };
  }
  try {
    const hand = new TrickTaking(given);
    const steps = play.map((line) => playLine(hand, line));
    const facts = Object.fromEntries(ask.map((fact) => [fact, TrickTaking.facts[fact](hand)]));
    return { answer: "observed", steps, facts };
  } catch (error) {
    if (error instanceof Impossible) return { answer: "impossible", because: error.message };
    console.error(error);
    return { answer: "crashed", because: String(error) };
  }
}

const answers = {
  start: () => ({ answer: "started", ...started }),
  run,
  stop: () => ({ answer: "stopped" }),
};

const lines = createInterface({ input: process.stdin });
for await (const line of lines) {
  const request = JSON.parse(line);
  process.stdout.write(`${JSON.stringify({ ...answers[request.do](request), id: request.id })}\n`);
  if (request.do === "stop") break;
}
