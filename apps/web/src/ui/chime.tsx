/** A soft chime when something begins to need the person, for whoever has asked for it. Two notes, made here. */
import { useEffect, useRef, type ReactNode } from "react";
import { usePreferences, useWorld } from "../app/app.ts";

const NOTES_HZ = [660, 880];
const NOTE_SECONDS = 0.18;
const LOUDNESS = 0.05;

export function Chime(): ReactNode {
  const { sound } = usePreferences();
  const open = useWorld(({ snapshot }) =>
    snapshot === null
      ? undefined
      : snapshot.decisions.filter(({ status }) => status === "open").length,
  );
  const before = useRef(open);
  useEffect(() => {
    const isMore = open !== undefined && before.current !== undefined && open > before.current;
    before.current = open;
    if (isMore && sound === "on") ring(new AudioContext());
  }, [open, sound]);
  return null;
}

export function ring(audio: AudioContext): void {
  const gain = audio.createGain();
  gain.connect(audio.destination);
  const end = audio.currentTime + NOTES_HZ.length * NOTE_SECONDS;
  gain.gain.setValueAtTime(LOUDNESS, audio.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.0001, end);
  for (const [place, hertz] of NOTES_HZ.entries()) {
    const note = audio.createOscillator();
    note.frequency.value = hertz;
    note.connect(gain);
    note.start(audio.currentTime + place * NOTE_SECONDS);
    note.stop(end);
    note.addEventListener("ended", () => void (place === 0 && audio.close()));
  }
}
