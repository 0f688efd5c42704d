"""The exchange of ground and grains: ground turns into grains before tools, and grains at rest turn back."""
