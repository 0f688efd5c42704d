"""Measuring which grain numbers give a soil its bulk numbers, per solver; `windrow calibrate-soil`."""
